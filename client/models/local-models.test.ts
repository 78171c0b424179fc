import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { it } from "node:test";
import { localModels } from "./local-models.ts";

/** A server that answers every request with this text. */
async function serving(text: string, status = 200) {
  const server = createServer((_, response) => response.writeHead(status).end(text));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, [Symbol.dispose]: () => void server.close() };
}

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
