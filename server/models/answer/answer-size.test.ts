import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import type { OpenAiModel } from "../../../shared/contract/definition.ts";
import { failureAt } from "../testing/failing.ts";
import { delta, startStream } from "../testing/raw-endpoint.ts";

const LONG = "word ".repeat(20_000);

const callPiece = (index: number, text: string) =>
  delta({ tool_calls: [{ index, id: `call_${index}`, function: { name: "look", arguments: text } }] });
const callItem = (index: number, text: string) => ({
  type: "response.output_item.done",
  item: { type: "function_call", call_id: `call_${index}`, name: "look", arguments: text },
});

/** What an endpoint sends without end, in each of the APIs. */
const endless = {
  "a text": {
    chat: () => delta({ content: LONG }),
    responses: () => ({ type: "response.output_text.delta", delta: LONG }),
    is: /sent an answer that never ends while gpt-test was answering; the text so far is kept/,
  },
  "a thought": {
    chat: () => delta({ reasoning_content: LONG }),
    responses: () => ({ type: "response.reasoning_text.delta", delta: LONG }),
    is: /sent an answer that never ends while gpt-test was answering/,
  },
  "the arguments of a call": {
    chat: () => callPiece(0, LONG),
    responses: () => callItem(0, LONG),
    is: /sent an answer that never ends for gpt-test/,
  },
  calls: {
    chat: (at: number) => callPiece(at, "{}"),
    responses: (at: number) => callItem(at, "{}"),
    is: /sent more than 500 tool calls for gpt-test/,
  },
};

/** Sends events until the connection is closed. */
function sendEndlessly(response: ServerResponse, event: (at: number) => unknown): void {
  startStream(response);
  let at = 0;
  const send = (): void => {
    while (!response.destroyed && response.write(`data: ${JSON.stringify(event(at++))}\n\n`));
  };
  response.on("drain", send);
  send();
}

for (const [what, { is, ...events }] of Object.entries(endless)) {
  for (const api of ["chat", "responses"] as const satisfies readonly OpenAiModel["api"][]) {
    test(`${what} without end is refused, and the connection closed: ${api}`, async () => {
      let closed = Promise.resolve<unknown>(undefined);
      const { error, parts } = await failureAt(
        (response) => {
          closed = new Promise((resolve) => response.on("close", resolve));
          sendEndlessly(response, events[api]);
        },
        { api, maxRetries: 0 },
      );
      assert.match(error.message, is);
      assert.ok(parts.length < 1000);
      await closed;
    });
  }
}
