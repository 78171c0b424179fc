import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { AgentCard } from "@a2a-js/sdk";
import { AgentError } from "../agents/agent-error.ts";
import { agentCard } from "./agent-card.ts";
import { AgentLink, type AgentUpdate } from "./agent-link.ts";

type Answer = (answer: (result: unknown) => void, response: ServerResponse) => void;

/** An agent that answers each method as told, over HTTP; the methods that it was asked for, in order. */
async function agentWith(answers: Readonly<Record<string, Answer>>) {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { id, method } = JSON.parse(body) as { readonly id: unknown; readonly method: string };
      methods.push(method);
      const isStream = method !== "GetTask";
      response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
      const answer = (result: unknown): void => {
        const message = JSON.stringify({ jsonrpc: "2.0", id, result });
        response.write(isStream ? `data: ${message}\n\n` : message);
      };
      answers[method]?.(answer, response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url: new URL(url),
    methods,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function linkTo(address: URL, startTimer?: (onEnd: () => void) => NodeJS.Timeout): Promise<AgentLink> {
  const card = AgentCard.fromJSON({
    name: "ann",
    supportedInterfaces: [{ url: address.href, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming: true },
  });
  return AgentLink.to("ann", { card, address, keyHeader: undefined }, fetch, startTimer);
}

const send = (link: AgentLink) => link.send({ parts: [], contextId: "" }, new AbortController().signal);

async function updatesOf(sent: AsyncIterable<AgentUpdate>): Promise<AgentUpdate[]> {
  const updates: AgentUpdate[] = [];
  for await (const update of sent) updates.push(update);
  return updates;
}

/** A clock that stands still until its time is up. */
class Clock {
  ring: () => void = () => {};
  readonly start = (onEnd: () => void): NodeJS.Timeout => {
    this.ring = onEnd;
    return setTimeout(() => {}, 2 ** 30).unref();
  };
}

const task = (state: string, said: readonly string[]) => ({
  id: "t1",
  contextId: "c1",
  status: { state },
  artifacts: said.map((part) => ({ artifactId: part, parts: [{ text: part }] })),
});
const completed = { statusUpdate: { taskId: "t1", contextId: "c1", status: { state: "TASK_STATE_COMPLETED" } } };

const saidBy = (update: AgentUpdate | undefined): readonly string[] =>
  update?.$case === "task" ? update.value.artifacts.map(({ artifactId }) => artifactId) : [];

test("What an agent said while there was no connection is asked for when its task is over", async () => {
  await using agent = await agentWith({
    SendStreamingMessage(answer, response) {
      answer({ task: task("TASK_STATE_WORKING", []) });
      response.end();
    },
    SubscribeToTask: (answer) => answer(completed),
    GetTask(answer, response) {
      answer(task("TASK_STATE_COMPLETED", ["missed"]));
      response.end();
    },
  });
  const updates = await updatesOf(send(await linkTo(agent.url)));
  assert.deepEqual(saidBy(updates.at(-1)), ["missed"]);
  assert.deepEqual(agent.methods, ["SendStreamingMessage", "SubscribeToTask", "GetTask"]);
});

test("An agent that is silent for too long is asked for its task again", async () => {
  await using agent = await agentWith({
    SendStreamingMessage: (answer) => answer({ task: task("TASK_STATE_WORKING", []) }),
    SubscribeToTask: (answer) => answer({ task: task("TASK_STATE_COMPLETED", ["after all"]) }),
  });
  const clock = new Clock();
  const updates = send(await linkTo(agent.url, clock.start));
  await updates.next();
  assert.deepEqual(agent.methods, ["SendStreamingMessage"]);
  clock.ring();
  assert.deepEqual(saidBy((await updates.next()).value ?? undefined), ["after all"]);
  assert.equal((await updates.next()).done, true);
});

test("An agent that says nothing at all is given up after the limit, with what to do", async () => {
  const clock = new Clock();
  await using agent = await agentWith({ SendStreamingMessage: () => clock.ring() });
  await assert.rejects(
    updatesOf(send(await linkTo(agent.url, clock.start))),
    new AgentError(`ann has sent nothing for 10 minutes; check ${agent.url.host}, and continue.`),
  );
});

test("A card that does not come within its limit is given up, with what to do", async () => {
  const { signal } = new AbortController();
  const url = new URL("http://127.0.0.1:9/");
  const never = (_: URL, { signal: during }: RequestInit): Promise<Response> =>
    new Promise((_resolve, reject) => {
      during?.addEventListener("abort", () => reject(during.reason));
    });
  await assert.rejects(
    agentCard({ name: "ann", url, fetch: never, signal, limitMs: 1 }),
    new AgentError("ann did not give its agent card within 0.001 s; check that it runs at 127.0.0.1:9, and continue."),
  );
});
