import { type QuickPickItem, Uri, window, workspace } from "vscode";
import type { TeamSummary } from "../../../shared/contract/team.ts";
import { countText } from "../../common/count-text.ts";
import { plainText } from "../../common/plain-text.ts";
import { timeAgo } from "../../common/time-ago.ts";
import { findTeamFiles, teamFileLabel } from "../../team-files/team-files.ts";
import type { Command, Services } from "../command.ts";

/**
 * Opens the team file that a menu gives, or one picked from the workspace's team files, and puts the focus where its task is
 * typed.
 */
export const openTeamFile: Command = async (services, argument) => {
  const uri = argument instanceof Uri ? argument : await pickFile();
  if (uri === undefined) return;
  const thread = await pickThread(services, uri);
  if (thread === undefined) return;
  // The host reads the file: what the user sees in the editor is what is opened.
  const document = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (document?.isDirty === true && !(await document.save())) return;
  await services.opener.openFile(uri, thread.teamId);
  await services.chat.focus();
};

async function pickFile(): Promise<Uri | undefined> {
  const files = await findTeamFiles();
  if (files.length === 0) {
    throw new Error("The workspace has no team files. Create one with a name such as review.team.yaml.");
  }
  const items = files.map((uri) => ({ uri, label: `$(law) ${plainText(teamFileLabel(uri))}` }));
  const picked = await window.showQuickPick(items, { title: "Open Team", placeHolder: "Select a team file" });
  return picked?.uri;
}

type Thread = QuickPickItem & { readonly teamId?: string };

/** If the file has stored threads, asks which one to continue; an empty thread is used without asking. */
async function pickThread({ opener }: Services, uri: Uri): Promise<Pick<Thread, "teamId"> | undefined> {
  const stored = (await opener.stored()).filter((team) => team.uri === uri.toString());
  const [newest] = stored;
  if (newest === undefined) return {};
  const empty = stored.find(({ threadLength }) => threadLength === 0);
  if (stored.every(({ threadLength }) => threadLength === 0)) return { teamId: newest.teamId };
  const threads: readonly Thread[] = [
    { label: "$(add) New thread", ...(empty === undefined ? {} : { teamId: empty.teamId }) },
    ...stored.filter(({ threadLength }) => threadLength > 0).map(itemFor),
  ];
  return window.showQuickPick(threads, {
    title: plainText(newest.name),
    placeHolder: "Start a new thread or continue a stored one",
    matchOnDetail: true,
  });
}

function itemFor({ teamId, lastLine, updatedAt, threadLength }: TeamSummary): Thread {
  return {
    teamId,
    label: `$(history) ${timeAgo(updatedAt)}`,
    description: countText(threadLength, "message"),
    detail: plainText(lastLine ?? ""),
  };
}
