import assert from "node:assert/strict";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { it, type TestContext } from "node:test";
import { CommandLine } from "../contract/harness/command-line.ts";
import { startNats } from "../servers/nats.ts";

const skip = process.platform === "win32" && "needs the signals of Unix";

const FILE = { name: "gpu", participants: [{ name: "ann" }], models: { own: { provider: "practice" } } };

/** `gavel worker` on a link, and when it and its worker have ended, which have the same output; undefined without NATS. */
async function workerCommand(context: TestContext, gavel: CommandLine) {
  const nats = await startNats(context);
  if (nats === undefined) return undefined;
  const command: ChildProcessWithoutNullStreams = gavel.start(["worker", "--participants", "worker.json"], {
    GAVEL_LINK: nats.url(),
  });
  const ended = once(command, "close");
  context.after(() => command.kill("SIGKILL"));
  let errors = "";
  command.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const failed = ended.then(() => Promise.reject(new Error(`The command has ended: ${errors}`)));
  const [line] = await Promise.race([once(createInterface({ input: command.stdout }), "line"), failed]);
  failed.catch(() => undefined);
  assert.match(String(line), /^The worker gpu is on the link /);
  return { command, ended };
}

it("gavel worker ends with its worker, which SIGTERM has finish its turns", { skip }, async (context) => {
  using gavel = new CommandLine({ "worker.json": FILE });
  const worker = await workerCommand(context, gavel);
  if (worker === undefined) return;
  worker.command.kill("SIGTERM");
  assert.deepEqual(await worker.ended, [0, null]);
});

it("gavel worker leaves no worker behind when it is killed", { skip }, async (context) => {
  using gavel = new CommandLine({ "worker.json": FILE });
  const worker = await workerCommand(context, gavel);
  if (worker === undefined) return;
  worker.command.kill("SIGKILL");
  assert.deepEqual(await worker.ended, [null, "SIGKILL"]);
});
