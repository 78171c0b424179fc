import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { NetworkError } from "./network-error.ts";
import { send } from "./send.ts";
import { tunnelAgents } from "./tunnel.ts";

/** A proxy that refuses every tunnel, and what it was asked for. */
async function refusingProxy() {
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (head) => {
      asked.push(...head.toString().split("\r\n").slice(0, 2));
      socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { asked, address: new URL(`http://127.0.0.1:${port}`), close: () => server.close() };
}

test("a proxy is asked for an IPv6 address in brackets", async () => {
  const { asked, address, close } = await refusingProxy();
  const agents = tunnelAgents({ address, authorization: "", rejectUnauthorized: true });
  const post = { headers: {}, body: "{}", signal: new AbortController().signal };
  await assert.rejects(send(new URL("http://[fd00::1]:8080/v1"), post, agents), NetworkError);
  assert.deepEqual(
    asked.map((line) => line.toLowerCase()),
    ["connect [fd00::1]:8080 http/1.1", "host: [fd00::1]:8080"],
  );
  close();
});

test("an abort ends a request whose proxy does not answer, and such a proxy is given up", async (context) => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    // As long as something arrives, a connection is not idle.
    socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\n"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const address = new URL(`http://127.0.0.1:${port}`);
  const agents = tunnelAgents({ address, authorization: "", rejectUnauthorized: true });
  const [endpoint, body] = [new URL("http://models.example/v1"), "{}"];
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const controller = new AbortController();
  const accepted = once(server, "connection");
  const aborted = send(endpoint, { headers: {}, body, signal: controller.signal }, agents);
  const [first] = await accepted;
  controller.abort();
  await assert.rejects(aborted, { name: "AbortError" });
  const acceptedNext = once(server, "connection");
  const late = send(endpoint, { headers: {}, body, signal: new AbortController().signal }, agents);
  const [second] = await acceptedNext;
  context.mock.timers.tick(10_000);
  await assert.rejects(late, { problem: { kind: "proxyUnreachable", proxy: address.host, code: "ETIMEDOUT" } });
  first.destroy();
  second.destroy();
  server.close();
});
