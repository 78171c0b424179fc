import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Editor } from "./harness/editor.ts";
import { until } from "./harness/until.ts";

const run = promisify(execFile);

/** Kills the agent host of this editor only, as a crash would. @returns its process id. */
export async function killHost(editor: Editor): Promise<number> {
  const pid = await until("the agent host runs", () => hostPid(editor));
  process.kill(pid, "SIGKILL");
  return pid;
}

/** Waits until another agent host has replaced the killed one. */
export function nextHost(editor: Editor, killed: number): Promise<number> {
  return until("the agent host runs again", async () => {
    const pid = await hostPid(editor);
    return pid === killed ? undefined : pid;
  });
}

/** The process that runs dist/server.js of this window's copy of the extension; its VS Code must not be shared. */
async function hostPid(editor: Editor): Promise<number | undefined> {
  const { stdout } = await run("ps", ["-eo", "pid=,args="]);
  const line = stdout.split("\n").find((each) => each.includes(editor.extensions) && each.includes("dist/server.js"));
  return line === undefined ? undefined : Number.parseInt(line, 10);
}
