import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { rawEndpoint, sendJson } from "../testing/raw-endpoint.ts";
import { send } from "./send.ts";

const post = { headers: {}, body: "{}", signal: new AbortController().signal };

test("requests that follow each other use one connection, once the answer before has been read", async () => {
  const ports = new Set<number | undefined>();
  await using endpoint = await rawEndpoint((response) => {
    ports.add(response.socket?.remotePort);
    sendJson(response, 200, {});
  });
  for (let count = 0; count < 3; count++) {
    const { status, body } = await send(new URL(endpoint.url), post);
    for await (const _ of body);
    assert.equal(status, 200);
  }
  assert.equal(ports.size, 1);
});

test("a connection that a server accepts and never completes is given up", async (context) => {
  const server = createServer().listen(0, "127.0.0.1");
  const accepted = once(server, "connection");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const answer = assert.rejects(send(new URL(`https://127.0.0.1:${port}`), post), { code: "ETIMEDOUT" });
  const [socket] = await accepted;
  context.mock.timers.tick(10_000);
  await answer;
  socket.destroy();
  server.close();
});

test("an answer that only changes the protocol is an error, and the request ends", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n"),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await assert.rejects(send(new URL(`http://127.0.0.1:${port}`), post), { code: "ECONNRESET" });
  server.close();
});
