#!/usr/bin/env node
import { GavelError, messageOf } from "../shared/contract/errors.ts";
import { helpText } from "./arguments/help.ts";
import { type Command, parseCommand } from "./arguments/parse.ts";
import { UsageError } from "./arguments/usage-error.ts";
import { HostError } from "./host/host-errors.ts";
import { takeFromFiles } from "./host/keys.ts";
import { Ending } from "./terminal/ending.ts";
import { shownLine } from "./text/shown-text.ts";

/** What the host needs: its store is SQLite of Node itself. */
const OLDEST_NODE = [22, 13] as const;
/** How long the process may take to end once it is told to, in milliseconds. */
const MAX_END_MS = 15_000;

const FAILED = 1;
const WRONG_USE = 2;

async function run(command: Command, ending: Ending): Promise<number> {
  switch (command.name) {
    case "help":
      process.stdout.write(`${helpText(command.about)}\n`);
      return 0;
    case "version":
      process.stdout.write(`${(await import("./version.ts")).VERSION}\n`);
      return 0;
    case "run":
      return (await import("./run/run-command.ts")).runCommand(command, ending);
    case "acp":
      return (await import("./acp/acp-command.ts")).acpCommand(command, ending);
    case "list":
      return (await import("./threads/list.ts")).listThreads(command);
    case "show":
      return (await import("./threads/show.ts")).showThread(command);
    case "export":
      return (await import("./threads/export.ts")).exportThread(command);
    case "serve":
      return (await import("./serve/serve.ts")).serveCommand(command);
    case "worker":
      return (await import("./worker/worker-command.ts")).workerCommand(command);
    case "check":
      return (await import("./check/check.ts")).checkFiles(command);
  }
}

/** Whether a command stays until a process that it has started ends, to which it passes signals on. */
const hasOwnEnd = (command: Command): boolean =>
  command.name === "worker" || (command.name === "serve" && command.action === "start" && command.foreground);

async function main(): Promise<number> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    process.stderr.write(`Gavel needs Node ${OLDEST_NODE.join(".")} or newer; this is ${process.versions.node}.\n`);
    return FAILED;
  }
  const ending = new Ending();
  ending.listen();
  let isKept = false;
  try {
    const command = parseCommand(process.argv.slice(2));
    isKept = hasOwnEnd(command);
    // What runs no team has nothing to interrupt and to store.
    const mayWait = command.name === "run" || command.name === "acp";
    const end = (): never => process.exit(ending.code);
    if (!isKept) ending.signal.addEventListener("abort", () => (mayWait ? setTimeout(end, MAX_END_MS).unref() : end()));
    // A worker takes what it needs itself, so that it is in the environment of no process.
    if (command.name !== "help" && command.name !== "version" && command.name !== "worker") takeFromFiles(process.env);
    const code = await run(command, ending);
    return isKept ? code : (ending.code ?? code);
  } catch (error) {
    if (!isKept && ending.code !== undefined) return ending.code;
    const isExpected = error instanceof GavelError || error instanceof UsageError || error instanceof HostError;
    const text = isExpected || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message);
    process.stderr.write(`gavel: ${shownLine(text)}\n`);
    return error instanceof UsageError ? WRONG_USE : FAILED;
  }
}

process.exitCode = await main();
