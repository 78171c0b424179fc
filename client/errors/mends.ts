import { commands, Position, Range, Uri, window } from "vscode";
import type { Mend, MendCommand } from "../common/page-messages.ts";
import { requireInWorkspace } from "../workspace-file.ts";

/** What each mend does, in terms of commands that are there anyway. */
const mends: Readonly<Record<MendCommand, (argument: string | undefined) => PromiseLike<unknown>>> = {
  setApiKey: (secret) => commands.executeCommand("gavel.setApiKey", secret),
  openTeamFile: (place) =>
    place === undefined ? commands.executeCommand("gavel.openTeamFile") : openPlace(Uri.parse(place, true)),
  openSettings: (setting) => commands.executeCommand("workbench.action.openSettings", setting ?? "@ext:gavel.gavel"),
  retry: () => commands.executeCommand("gavel.retry"),
  openTeam: () => commands.executeCommand("gavel.openStoredTeam"),
  showLog: () => commands.executeCommand("gavel.showLog"),
  manageTrust: () => commands.executeCommand("workbench.trust.manage"),
};

/** Goes where a fault is mended. */
export async function runMend(mend: Pick<Mend, "command" | "argument">): Promise<void> {
  await mends[mend.command](mend.argument);
}

/** Opens a file of the workspace; a fragment `L12,3` names a line and column, both from 1. */
async function openPlace(place: Uri): Promise<void> {
  const uri = await requireInWorkspace(place.with({ fragment: "" }));
  const [, line = "1", column = "1"] = /^L(\d+)(?:,(\d+))?$/.exec(place.fragment) ?? [];
  const position = new Position(Math.max(0, Number(line) - 1), Math.max(0, Number(column) - 1));
  await window.showTextDocument(uri, { selection: new Range(position, position) });
}
