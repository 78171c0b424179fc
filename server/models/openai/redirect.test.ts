import assert from "node:assert/strict";
import { test } from "node:test";
import { httpModel } from "../http-model.ts";
import { collect, definitionAt } from "../testing/collect.ts";
import { failureFrom } from "../testing/failing.ts";
import { delta, finished, rawEndpoint, sendStream } from "../testing/raw-endpoint.ts";

const answering = () => rawEndpoint((response) => sendStream(response, delta({ content: "ok" }), finished));
const keys = { get: async () => "sk-of-the-user" };

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect to another origin gets neither messages nor a key, and the error names it: ${status}`, async () => {
    await using other = await answering();
    await using endpoint = await rawEndpoint((response) => response.writeHead(status, { location: other.url }).end());
    const { error, retries } = await failureFrom(endpoint.url, { apiKey: { secret: "mine" } }, keys);
    assert.deepEqual([endpoint.requests.length, other.requests.length], [1, 0]);
    assert.equal(
      error.message,
      `${endpoint.host} redirects to http://${other.host}, where nothing was sent; if you trust it, use its address as \`baseUrl\` in the team file.`,
    );
    assert.deepEqual(retries, []);
    const azure = { provider: "azure", endpoint: endpoint.url, deployment: "gpt-test" } as const;
    await assert.rejects(collect(httpModel(azure, { ...keys, isAllowed: async () => true })));
    assert.equal(other.requests.length, 0);
  });
}

test("a redirect within the origin is followed, with the same body and key", async () => {
  await using endpoint = await rawEndpoint((response, count) => {
    if (count === 1) response.writeHead(307, { location: "/v2/chat/completions" }).end();
    else sendStream(response, delta({ content: "ok" }), finished);
  });
  const { text } = await collect(httpModel(definitionAt(endpoint.url, { apiKey: { secret: "mine" } }), keys));
  assert.equal(text, "ok");
  const [first, second] = endpoint.requests;
  assert.equal(second?.url, "/v2/chat/completions");
  assert.equal(second?.body, first?.body);
  assert.equal(second?.headers.authorization, "Bearer sk-of-the-user");
});

test("redirects in a circle end with one error", async () => {
  await using endpoint = await rawEndpoint((response) => response.writeHead(308, { location: "/again" }).end());
  const { error } = await failureFrom(endpoint.url);
  assert.match(error.message, /answers only with redirects \(308\); correct `baseUrl` in the team file/);
  assert.ok(endpoint.requests.length <= 6);
});

for (const location of ["file:///etc/passwd", "http://[", "http://ann:pass@127.0.0.1:9/v1", ""]) {
  test(`a redirect to an unusable address is an error without that address: "${location}"`, async () => {
    await using endpoint = await rawEndpoint((response) => response.writeHead(307, { location }).end());
    const { error } = await failureFrom(endpoint.url);
    assert.doesNotMatch(error.message, /passwd|ann|pass@|\[/);
    assert.match(error.message, /redirect/);
  });
}
