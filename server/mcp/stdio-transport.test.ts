import assert from "node:assert/strict";
import { test } from "node:test";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { StdioTransport } from "./stdio-transport.ts";

/** Says that it has closed its input, and ends when it is told to. */
const CLOSES_ITS_INPUT = `
  require("node:fs").closeSync(0);
  process.on("SIGTERM", () => {
    process.stderr.write("cannot read its settings\\n", () => process.exit(3));
  });
  setInterval(() => {}, 1_000);
  console.log(JSON.stringify({ jsonrpc: "2.0", method: "closed" }));
`;

test("a message to a server that no longer reads fails once it is known how the server ended", async () => {
  const program = { command: process.execPath, args: ["-e", CLOSES_ITS_INPUT], cwd: process.cwd(), env: process.env };
  const transport = new StdioTransport(program, () => {});
  const said = Promise.withResolvers<JSONRPCMessage>();
  transport.onmessage = said.resolve;
  await transport.start();
  try {
    await said.promise;
    await assert.rejects(transport.send({ jsonrpc: "2.0", id: 1, method: "initialize" }), /The server has ended/);
    assert.equal(transport.failure, "ended with code 3: cannot read its settings");
  } finally {
    await transport.close();
  }
});
