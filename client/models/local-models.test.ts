import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { it } from "node:test";
import { localModels, localServers } from "./local-models.ts";

async function listening(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    server: `server at ${port}`,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A server that answers every request with this text. */
const serving = (text: string, status = 200) => listening((_, response) => response.writeHead(status).end(text));

it("finds the models of the servers that run, and none where something else or nothing answers", async () => {
  using ollama = await serving(JSON.stringify({ data: [{ id: "llama3.2" }, { id: "nomic-embed-text" }] }));
  using page = await serving("<h1>Hello</h1>");
  using broken = await serving("{}", 500);
  const closed = await serving("");
  closed[Symbol.dispose]();
  const found = await localModels([
    { server: "Ollama", baseUrl: ollama.baseUrl },
    { server: "A page", baseUrl: page.baseUrl },
    { server: "Broken", baseUrl: broken.baseUrl },
    { server: "Nothing", baseUrl: closed.baseUrl },
  ]);
  assert.deepEqual(found, [{ server: "Ollama", baseUrl: ollama.baseUrl, model: "llama3.2" }]);
});

it("finds servers that run without a model", async () => {
  // What Ollama answers before the first `ollama pull`.
  using ollama = await serving('{"object":"list","data":null}');
  using studio = await serving('{"object":"list","data":[]}');
  const found = await localServers([ollama, studio].map(({ server, baseUrl }) => ({ server, baseUrl })));
  assert.deepEqual(
    found.map(({ server, models }) => [server, models]),
    [
      [ollama.server, []],
      [studio.server, []],
    ],
  );
});

it("closes the connection to a server whose list has no end", async () => {
  const MOST = 64_000_000;
  let sent = 0;
  function* endless() {
    yield '{"data":[';
    for (; sent < MOST; sent += 64_000) yield " ".repeat(64_000);
  }
  const closed = Promise.withResolvers<undefined>();
  using hostile = await listening((_, response) => {
    Readable.from(endless()).pipe(response);
    void once(response, "close").then(() => closed.resolve(undefined));
  });
  assert.deepEqual(await localServers([{ server: "Ollama", baseUrl: hostile.baseUrl }]), []);
  await closed.promise;
  assert.ok(sent < MOST, `${sent} bytes were taken`);
});
