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
