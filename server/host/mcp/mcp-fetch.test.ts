import assert from "node:assert/strict";
import { test } from "node:test";
import { reconnectWait, withHeaders } from "../../mcp/http-transport.ts";
import { directNetwork } from "../../models/testing/direct-network.ts";
import { rawEndpoint } from "../../models/testing/raw-endpoint.ts";
import { mcpFetch } from "./mcp-fetch.ts";

const fetchFor = (server: string, localHosts: readonly string[] = []) =>
  mcpFetch({ network: directNetwork, localHosts: () => localHosts })(new URL(server));

test("a server elsewhere does not make Gavel ask this computer, as where the user signs in", async () => {
  await using endpoint = await rawEndpoint((response) => response.end("{}"));
  const port = endpoint.host.split(":")[1];
  const remote = fetchFor("https://mcp.example/mcp");
  for (const host of ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "127.0.0.1."]) {
    const asked = remote(`http://${host}:${port}/register`, { method: "POST", body: "{}" });
    await assert.rejects(asked, /sign in at .*, which is on this computer.*gavel\.webFetch\.localHosts/, host);
  }
  assert.equal(endpoint.requests.length, 0);
  const allowed = await fetchFor("https://mcp.example/mcp", [endpoint.host])(`http://${endpoint.host}/register`);
  assert.equal(allowed.status, 200);
  const local = await fetchFor("http://localhost:1/mcp")(`http://${endpoint.host}/register`);
  assert.equal(local.status, 200);
});

test("the headers of a server's file go to its own origin only", async () => {
  await using own = await rawEndpoint((response) => response.end("{}"));
  await using other = await rawEndpoint((response) => response.end("{}"));
  const url = `http://${own.host}/mcp`;
  const asked = withHeaders({ url, headers: { "X-Key": "s3cret", Accept: "a/b" }, fetch: fetchFor(url) });
  await asked(url, { method: "POST", body: "{}", headers: { accept: "text/event-stream" } });
  await asked(`http://${other.host}/.well-known/oauth-authorization-server`);
  assert.equal(own.requests[0]?.headers["x-key"], "s3cret");
  assert.equal(own.requests[0]?.headers.accept, "text/event-stream");
  assert.doesNotMatch(JSON.stringify(other.requests[0]?.headers), /s3cret/);
});

test("a header that cannot be sent is a sentence without its value, which may be secret", () => {
  assert.throws(
    () => withHeaders({ url: "http://a.example", headers: { "X-Key": "s3cret\ns3cret" }, fetch }),
    ({ message }: Error) => /its header X-Key has a line break/.test(message) && !message.includes("s3cret"),
  );
});

test("an event of a stream that never ends is not read forever", async () => {
  const line = Buffer.from(`data: ${"x".repeat(64 * 1024)}\n`);
  let written = 0;
  await using endpoint = await rawEndpoint((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const more = (): void => {
      written += line.length;
      // An end, so that a reader without a limit fails here.
      if (written > 64 * 1024 * 1024) response.end();
      else if (response.write(line)) setImmediate(more);
      else response.once("drain", more);
    };
    more();
  });
  const answer = await fetchFor(endpoint.url)(endpoint.url);
  await assert.rejects(answer.text(), /more than 8 MB in one answer/);
});

test("a long stream of short events is read to its end", async () => {
  await using endpoint = await rawEndpoint((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let at = 0; at < 2_000; at++) response.write(`data: ${"x".repeat(5_000)}\r\n\r\n`);
    response.end();
  });
  const answer = await fetchFor(endpoint.url)(endpoint.url);
  assert.equal((await answer.text()).length, 2_000 * (6 + 5_000 + 4));
});

test("a stream is resumed neither without a pause nor after a time that no timer has", () => {
  assert.deepEqual([0, -1, 1_000, 1e12].map(reconnectWait), [500, 500, 1_000, 30_000]);
});
