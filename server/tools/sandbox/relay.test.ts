import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { runCommandTool } from "../command/run-command.ts";
import { folderOf, runTool, testCall } from "../testing.ts";
import { guardOf, sandboxed } from "./testing.ts";

test("a client that has sent everything still gets the answer of a server on the loopback", sandboxed, async (t) => {
  const server = createServer({ allowHalfOpen: true }, async (client) => {
    client.end(`got ${(await client.setEncoding("utf8").toArray()).join("")}\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const root = folderOf(t);
  const tool = runCommandTool({ roots: () => [root] }, guardOf());
  const script = `net.connect({ port: ${port}, host: '127.0.0.1', allowHalfOpen: true }).end('all').pipe(process.stdout)`;

  assert.equal(await runTool(tool, { command: `node -e "${script}"` }, testCall().context), "got all\nexit code 0");
});
