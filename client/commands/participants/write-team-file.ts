import { commands, Range, Uri, WorkspaceEdit, window, workspace } from "vscode";
import { TeamFileText } from "../../../shared/contract/requests.ts";
import { plainText } from "../../common/plain-text.ts";
import { notify } from "../../dialogs/notify.ts";
import type { Services } from "../command.ts";

interface TeamFile {
  readonly teamId: string;
  readonly uri: string;
}

const SHOW = "Show Changes to Team File";
const WRITE = "Write to Team File";

/** Says that only this thread has changed, and offers to change the team file too. Does not wait for an answer. */
export async function offerToWrite(services: Services, file: TeamFile): Promise<void> {
  void ask(services, file).catch((error: unknown) => services.notices.report(error));
}

async function ask(services: Services, file: TeamFile): Promise<void> {
  const name = workspace.asRelativePath(Uri.parse(file.uri, true));
  const choice = await notify("info", `The participants of this thread have changed; ${name} has not.`, SHOW);
  if (choice === SHOW) await showChanges(services, file);
}

/** Shows what would be written as a diff, and writes it when the user says so. */
async function showChanges({ host, documents, opener }: Services, { teamId, uri }: TeamFile): Promise<void> {
  const file = Uri.parse(uri, true);
  const document = await workspace.openTextDocument(file);
  const before = document.getText();
  const { text } = await host.request(TeamFileText, { teamId, text: before });
  const name = file.path.split("/").at(-1) ?? "";
  const proposed = documents.put(name, `participants-${teamId}-${document.version}`, text);
  await commands.executeCommand("vscode.diff", file, proposed, `${name} (changed participants)`, { preview: true });
  if ((await notify("info", `Write these changes to ${name}?`, WRITE)) !== WRITE) return;
  if (document.getText() !== before)
    throw new Error(`${plainText(name)} has changed since. Change the participants there.`);
  const edit = new WorkspaceEdit();
  edit.replace(file, new Range(document.positionAt(0), document.positionAt(before.length)), text);
  await workspace.applyEdit(edit);
  await document.save();
  await window.showTextDocument(document, { preview: false });
  await opener.openFile(file, teamId);
}
