import type { Disposable } from "vscode";
import { workspace } from "vscode";
import { notify } from "../dialogs/notify.ts";
import type { HostProcess } from "./host-process.ts";
import { wantsHostKept } from "./window-host.ts";

const SETTING = "gavel.host.keepRunning";
const RESTART = "Restart Host";

/** Says that a changed setting takes effect at the next start of the host, and offers it. */
export function offerRestart(host: HostProcess, restart: () => PromiseLike<unknown>): Disposable {
  return workspace.onDidChangeConfiguration(async (change) => {
    const { reached } = host;
    if (!change.affectsConfiguration(SETTING) || reached === undefined || reached.keepsRunning === wantsHostKept())
      return;
    const text = wantsHostKept()
      ? "The agent host will keep running after this window closes, from its next start on."
      : "The agent host that runs now still keeps running after this window closes. The next one will not.";
    if ((await notify("info", text, RESTART)) === RESTART) await restart();
  });
}
