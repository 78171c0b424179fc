import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelError } from "../../../shared/contract/errors.ts";
import { httpModel } from "../http-model.ts";
import { collect, definitionAt, noKeys, sampleRequest } from "../testing/collect.ts";
import { delta, finished, rawEndpoint, sendStream } from "../testing/raw-endpoint.ts";
import { endpointOf } from "./endpoint.ts";
import { keyFor } from "./key.ts";

const openAi = { provider: "openai", model: "gpt-test" } as const;
const answering = () => rawEndpoint((response) => sendStream(response, delta({ content: "ok" }), finished));

test("with apiKey.secret the key of that name is sent, and read again for each request", async () => {
  await using endpoint = await answering();
  const given = ["first-key", " second-key\n"];
  const asked: string[] = [];
  const keys = {
    environment: "not-this-one",
    async get(secret: string) {
      asked.push(secret);
      return given.shift() ?? null;
    },
  };
  const model = httpModel(definitionAt(endpoint.url, { apiKey: { secret: "mine" } }), keys);
  await collect(model);
  await collect(model);
  assert.deepEqual(asked, ["mine", "mine"]);
  assert.deepEqual(
    endpoint.requests.map(({ headers }) => headers.authorization),
    ["Bearer first-key", "Bearer second-key"],
  );
});

test("a baseUrl without apiKey is called without an Authorization header, whatever is in the environment", async () => {
  await using endpoint = await answering();
  const stray = {
    OPENAI_API_KEY: "sk-stray",
    OPENAI_ADMIN_KEY: "sk-stray",
    OPENAI_ORG_ID: "sk-stray",
    OPENAI_PROJECT_ID: "sk-stray",
    OPENAI_CUSTOM_HEADERS: "Authorization: Bearer sk-stray\napi-key: sk-stray\nX-Gateway: sk-stray",
    OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
  };
  const before = Object.keys(stray).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, stray);
  try {
    await collect(httpModel(definitionAt(endpoint.url), { environment: "sk-stray", get: async () => "sk-stray" }));
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  assert.equal(endpoint.requests[0]?.url, "/v1/chat/completions");
  assert.ok(!("authorization" in (endpoint.requests[0]?.headers ?? {})));
  assert.ok(!JSON.stringify(endpoint.requests[0]?.headers).includes("sk-stray"));
});

test("with neither, the environment's key is used, else the one stored as OPENAI_API_KEY", async () => {
  const endpoint = endpointOf(openAi);
  const get = async (secret: string) => `stored ${secret}`.replace(" ", "-");
  assert.equal((await keyFor(openAi, endpoint, { get, environment: "sk-env" })).value, "sk-env");
  assert.equal((await keyFor(openAi, endpoint, { get, environment: " " })).value, "stored-OPENAI_API_KEY");
  assert.equal((await keyFor(openAi, endpoint, { get })).value, "stored-OPENAI_API_KEY");
});

test("without any key the error names the secret to store", async () => {
  await assert.rejects(keyFor(openAi, endpointOf(openAi), noKeys), (error) => {
    assert.ok(error instanceof GavelError);
    assert.match(error.message, /gpt-test at api\.openai\.com needs a key, and "OPENAI_API_KEY" is not stored/);
    assert.equal(error.data["fix"], "apiKey");
    assert.equal(error.data["secret"], "OPENAI_API_KEY");
    return true;
  });
});

test("a key with characters that a header cannot have is refused without being repeated", async () => {
  await using endpoint = await answering();
  const keys = { get: async () => "sk-secret one\u0007two" };
  const model = httpModel(definitionAt(endpoint.url, { apiKey: { secret: "mine" } }), keys);
  await assert.rejects(collect(model, sampleRequest), (error) => {
    assert.ok(error instanceof GavelError);
    assert.ok(!error.message.includes("secret one"));
    assert.match(error.message, /The key "mine" .* store it again/);
    return true;
  });
});

test("an error of the key store is reported without its text", async () => {
  const keys = {
    get: async (): Promise<string> => {
      throw new Error("could not read sk-12345");
    },
  };
  await assert.rejects(keyFor({ ...openAi, apiKey: { secret: "mine" } }, endpointOf(openAi), keys), (error) => {
    assert.ok(error instanceof GavelError);
    assert.ok(!error.message.includes("12345"));
    return true;
  });
});

test("a user name or password in the address is neither sent nor shown", async () => {
  const model = httpModel(definitionAt("http://ann:hunter2@127.0.0.1:9/v1?token=abcdef"), noKeys);
  assert.equal(model.label, "gpt-test at 127.0.0.1:9");
  await assert.rejects(collect(model), (error) => {
    assert.ok(error instanceof GavelError);
    assert.ok(!/hunter2|abcdef|ann:/.test(error.message + JSON.stringify(error.data)));
    assert.match(error.message, /contains a user name or password/);
    return true;
  });
});

test("a query of the address is sent with the request", async () => {
  await using endpoint = await answering();
  await collect(httpModel(definitionAt(`${endpoint.url}/?api-version=7`), noKeys));
  assert.equal(endpoint.requests[0]?.url, "/v1/chat/completions?api-version=7");
});
