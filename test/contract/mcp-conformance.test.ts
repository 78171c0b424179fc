import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { root } from "../../scripts/root.ts";
import { Scratch } from "./harness/scratch.ts";

const runner = join(root, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
const folder = join(root, "test", "conformance");
const client = `${process.execPath} ${join(folder, "mcp-client.ts")}`;

const SIGNING_IN = [
  "metadata-default",
  "metadata-var1",
  "metadata-var2",
  "metadata-var3",
  "basic-cimd",
  "scope-from-www-authenticate",
  "scope-from-scopes-supported",
  "scope-omitted-when-undefined",
  "scope-step-up",
  "scope-retry-limit",
  "token-endpoint-auth-basic",
  "token-endpoint-auth-post",
  "token-endpoint-auth-none",
  "pre-registration",
];

/** Runs scenarios of the protocol's own tests of clients; the output is shown where one fails. */
async function passes(...which: readonly string[]): Promise<void> {
  using scratch = new Scratch();
  const args = ["client", "--command", client, ...which, "--timeout", "180000", "-o", scratch.path];
  const child = spawn(process.execPath, [runner, ...args], {
    cwd: scratch.path,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 200_000,
    killSignal: "SIGKILL",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-20_000);
    });
  }
  const code = await new Promise((resolve) => child.once("close", resolve));
  assert.equal(code, 0, output);
}

describe("the protocol's own tests of MCP clients pass", () => {
  for (const scenario of ["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"])
    it(scenario, () => passes("--scenario", scenario));
  // One after the other: the suite "auth" would start the clients of all of these at the same time.
  for (const scenario of SIGNING_IN) it(`signing in: ${scenario}`, () => passes("--scenario", `auth/${scenario}`));
});
