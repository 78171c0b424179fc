import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import type { AzureModel } from "../../../shared/contract/definition.ts";
import { GavelError } from "../../../shared/contract/errors.ts";
import { httpModel } from "../http-model.ts";
import { collect, noKeys, sampleRequest, stillClock } from "../testing/collect.ts";
import { delta, finished, rawEndpoint, sendJson, sendStream } from "../testing/raw-endpoint.ts";

const mock = new LLMock({ port: 0, chunkSize: 4 });
before(() => mock.start());
after(() => mock.stop());
beforeEach(() => {
  mock.reset();
});

const KEY = "abcdef0123456789abcdef0123456789";
const keys = { environment: "sk-for-openai", get: async () => KEY };

const azureAt = (endpoint: string, more: Partial<AzureModel> = {}): AzureModel => ({
  provider: "azure",
  endpoint,
  deployment: "our-gpt",
  ...more,
});
const originOf = ({ host }: { readonly host: string }): string => `http://${host}`;

test("a deployment answers over Chat Completions and over the Responses API", async () => {
  mock.onMessage("hello", { content: "Hello from Azure." });
  for (const api of ["chat", "responses"] as const) {
    const { text } = await collect(httpModel(azureAt(mock.url, { api }), keys, stillClock()));
    assert.equal(text, "Hello from Azure.");
  }
});

test("a deployment's address is that of its API and version", async () => {
  const routes = [
    [{}, "/openai/deployments/our-gpt/chat/completions?api-version=2024-10-21"],
    [
      { apiVersion: "2025-01-01-preview" },
      "/openai/deployments/our-gpt/chat/completions?api-version=2025-01-01-preview",
    ],
    [{ deployment: "a/b" }, "/openai/deployments/a%2Fb/chat/completions?api-version=2024-10-21"],
    [{ apiVersion: "v1" }, "/openai/v1/chat/completions"],
    [{ api: "responses" }, "/openai/v1/responses"],
    [{ api: "responses", apiVersion: "preview" }, "/openai/v1/responses?api-version=preview"],
    [{ api: "responses", apiVersion: "2025-04-01-preview" }, "/openai/responses?api-version=2025-04-01-preview"],
  ] as const;
  for (const [more, url] of routes) {
    await using endpoint = await rawEndpoint((response) => sendJson(response, 400, {}));
    await assert.rejects(collect(httpModel(azureAt(`${originOf(endpoint)}/`, more), keys)));
    assert.equal(endpoint.requests[0]?.url, url);
    assert.equal(JSON.parse(endpoint.requests[0].body).model, "deployment" in more ? more.deployment : "our-gpt");
  }
});

test("the key is sent in the api-key header, and is requested for the host that it is sent to", async () => {
  await using endpoint = await rawEndpoint((response) => sendStream(response, delta({ content: "ok" }), finished));
  const asked: string[][] = [];
  const source = {
    environment: "sk-for-openai",
    async get(secret: string, { origin, host }: { readonly origin: string; readonly host: string }) {
      asked.push([secret, origin, host]);
      return KEY;
    },
  };
  await collect(httpModel(azureAt(originOf(endpoint)), source));
  await collect(httpModel(azureAt(originOf(endpoint), { apiKey: { secret: "mine" } }), source));
  assert.deepEqual(asked, [
    ["AZURE_OPENAI_API_KEY", originOf(endpoint), endpoint.host],
    ["mine", originOf(endpoint), endpoint.host],
  ]);
  for (const { headers } of endpoint.requests) {
    assert.equal(headers["api-key"], KEY);
    assert.ok(!("authorization" in headers));
    assert.ok(!JSON.stringify(headers).includes("sk-for-openai"));
  }
});

test("without a key no request is made to Azure, and the error names the secret to store", async () => {
  await using endpoint = await rawEndpoint((response) => sendStream(response));
  const source = { ...noKeys, environment: "sk-for-openai" };
  await assert.rejects(collect(httpModel(azureAt(originOf(endpoint)), source)), (error) => {
    assert.ok(error instanceof GavelError);
    assert.match(error.message, /our-gpt at .* needs a key, and "AZURE_OPENAI_API_KEY" is not stored/);
    assert.equal(error.data["secret"], "AZURE_OPENAI_API_KEY");
    return true;
  });
  assert.equal(endpoint.requests.length, 0);
});

test("an error names the deployment as the team file does, and never the key", async () => {
  const failures = [
    [
      401,
      { error: { code: "401", message: `Access denied due to invalid key ${KEY}.` } },
      /refused the key "mine" for our-gpt/,
    ],
    [
      404,
      { error: { code: "DeploymentNotFound", message: "The API deployment does not exist." } },
      /did not find the address or the model "our-gpt" .* correct `endpoint` or `deployment`/,
    ],
  ] as const;
  for (const [status, body, sentence] of failures) {
    await using endpoint = await rawEndpoint((response) => sendJson(response, status, body, { "x-echo": KEY }));
    const model = httpModel(azureAt(originOf(endpoint), { apiKey: { secret: "mine" } }), keys);
    await assert.rejects(collect(model, sampleRequest), (error) => {
      assert.ok(error instanceof GavelError);
      assert.match(error.message, sentence);
      assert.ok(!JSON.stringify([error.message, error.data, error.cause ?? null]).includes(KEY.slice(0, 8)));
      return true;
    });
  }
});

test("the token limit has the name that OpenAI's models support", async () => {
  await using endpoint = await rawEndpoint((response) => sendStream(response, delta({ content: "ok" }), finished));
  await collect(httpModel(azureAt(originOf(endpoint), { maxTokens: 9 }), keys));
  assert.equal(JSON.parse(endpoint.requests[0]?.body ?? "").max_completion_tokens, 9);
});
