import { Position, type Uri, ViewColumn, WorkspaceEdit, window, workspace } from "vscode";
import { TeamDraft } from "../../../shared/contract/setup.ts";
import { countText } from "../../common/count-text.ts";
import { notify } from "../../dialogs/notify.ts";
import { withCancel } from "../../dialogs/progress.ts";
import { draftName } from "../../start/draft-name.ts";
import { freeTeamFile } from "../../start/new-team-file.ts";
import { requireTrust } from "../../trust.ts";
import type { Services } from "../command.ts";

/** The default model drafts a team file, which is shown as a new file that is not saved. @throws as `team/draft`. */
export async function draftFromTask({ host }: Services, task: string, folder: Uri): Promise<void> {
  requireTrust("No model is called in Restricted Mode.");
  const draft = await withCancel("Drafting the team file…", async (token) => {
    const drafted = await host.request(TeamDraft, { task }, token);
    return token.isCancellationRequested ? undefined : drafted;
  });
  if (draft === undefined) return;
  const file = await freeTeamFile(folder, draftName(draft.text));
  const document = await workspace.openTextDocument(file.with({ scheme: "untitled" }));
  const edit = new WorkspaceEdit();
  edit.insert(document.uri, new Position(0, 0), draft.text);
  await workspace.applyEdit(edit);
  await window.showTextDocument(document, { preview: false, viewColumn: ViewColumn.Active });
  const { length } = draft.problems;
  void notify(
    length === 0 ? "info" : "warning",
    length === 0
      ? "Read the draft and save it. Then choose Run in Chat above its first line."
      : `The draft has ${countText(length, "problem")}, which the editor marks. Correct and save it.`,
  );
}
