import assert from "node:assert/strict";
import { test } from "node:test";
import type { GavelError } from "../../../shared/contract/errors.ts";
import type { ModelRetry } from "../../engine/model.ts";
import { failureAt } from "../testing/failing.ts";
import { sendJson, sendStream } from "../testing/raw-endpoint.ts";

const KEY = 'sk-proj-Ab12/Cd34+Ef56"Gh78-wxyz';
const secret = { apiKey: { secret: "mine" } };

const echoes = {
  whole: `Incorrect API key provided: ${KEY}.`,
  header: `Invalid header Authorization: Bearer ${KEY}`,
  masked: "Incorrect API key provided: sk-proj-******wxyz. You can find yours at https://example.com.",
  dotted: "Incorrect API key provided: sk-...wxyz",
  encoded: `GET /?key=${encodeURIComponent(KEY)} failed`,
  json: `Request was ${JSON.stringify({ key: KEY })}`,
  cut: `The key ${KEY.slice(0, 14)} is unknown`,
};

for (const [form, message] of Object.entries(echoes)) {
  test(`a key that the endpoint repeats is never in the error: ${form}`, async () => {
    for (const status of [401, 403, 404, 422, 429, 500]) {
      const { error, retries } = await failureAt(
        (response) => sendJson(response, status, { error: { message } }),
        secret,
        KEY,
      );
      assertNoKey(error, retries);
    }
    const inStream = await failureAt(
      (response) => sendStream(response, { error: { message, code: form } }),
      secret,
      KEY,
    );
    assertNoKey(inStream.error, inStream.retries);
    const asText = await failureAt((response) => response.writeHead(400).end(message), secret, KEY);
    assertNoKey(asText.error, asText.retries);
  });
}

function assertNoKey(error: GavelError, retries: readonly ModelRetry[]): void {
  const shown = JSON.stringify([error.message, error.data, error.cause ?? null, retries]);
  for (const piece of ["Ab12", "Cd34", "Ef56", "Gh78", "wxyz", "sk-"]) assert.ok(!shown.includes(piece), shown);
}
