import { Position, Range, Uri, window } from "vscode";
import { ActionableError } from "../../errors/actionable-error.ts";
import { requireInWorkspace } from "../../files/workspace-file.ts";
import type { Command } from "../command.ts";

/** Opens the file of the active team, or the one that an error names: a URI with a fragment such as `#L12,3`. */
export const editTeamFile: Command = async ({ actions, folders }, argument) => {
  const named = typeof argument === "string" ? argument : actions.team.uri;
  if (named === undefined)
    throw new ActionableError("This team comes from no file.", { label: "Open Team", command: "openTeam" });
  const location = Uri.parse(named, true);
  const file = await requireInWorkspace(location.with({ fragment: "" }), folders.ofTeamFiles);
  const [, line = "1", column = "1"] = /^L(\d+)(?:,(\d+))?$/.exec(location.fragment) ?? [];
  const position = new Position(Math.max(0, Number(line) - 1), Math.max(0, Number(column) - 1));
  await window.showTextDocument(file, location.fragment === "" ? {} : { selection: new Range(position, position) });
};
