import { basename } from "node:path";
import { type QuickPickItem, QuickPickItemKind, Uri, window, workspace } from "vscode";
import type { TeamSummary } from "../../../shared/contract/team.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { timeAgo } from "../../../shared/text/time-ago.ts";
import { plainText } from "../../common/plain-text.ts";
import type { CommandId } from "../../contributions.ts";
import { ownTeamFiles } from "../../start/own-teams.ts";
import { findTeamFiles, teamFileLabel } from "../../team-files/team-files.ts";
import type { Command, Services } from "../command.ts";

/**
 * Opens the team file that a menu gives, or one picked from a list, and puts the focus where its task is
 * typed.
 */
export const openTeamFile: Command = async (services, argument) => {
  const uri = argument instanceof Uri ? argument : await pickFile(services);
  if (uri === undefined) return;
  const thread = await pickThread(services, uri);
  if (thread === undefined) return;
  // The host reads the file: what the user sees in the editor is what is opened.
  const document = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (document?.isDirty === true && !(await document.save())) return;
  await services.opener.openFile(uri, thread.teamId);
  await services.chat.focus();
};

type Choice = QuickPickItem & { readonly uri?: Uri; readonly start?: CommandId };

/** The user's own teams, those of the workspace, and the ways to start without a file. */
async function pickFile({ folders, run }: Services): Promise<Uri | undefined> {
  const picked = await window.showQuickPick(choices(folders.teams), {
    title: "Open Team",
    placeHolder: "Select a team file",
    matchOnDescription: true,
  });
  if (picked?.start !== undefined) await run(picked.start);
  return picked?.uri;
}

async function choices(ownTeams: Uri): Promise<readonly Choice[]> {
  const [own, found] = await Promise.all([ownTeamFiles(ownTeams), findTeamFiles()]);
  const file = (uri: Uri, label: string): Choice => ({ uri, label: `$(law) ${plainText(label)}` });
  return [
    ...group(
      "This Workspace",
      found.map((uri) => file(uri, teamFileLabel(uri))),
    ),
    ...group(
      "Your Teams",
      own.map((uri) => file(uri, basename(uri.path))),
    ),
    ...group("Start", [
      { label: "$(beaker) Try a Sample…", description: "needs no API key", start: "gavel.trySample" },
      {
        label: "$(hubot) Start with One Agent",
        description: "reads and edits files, with your approval",
        start: "gavel.startWithOneAgent",
      },
      { label: "$(add) New Team…", description: "by a few questions, or from a task", start: "gavel.newTeam" },
    ]),
  ];
}

const group = (label: string, items: readonly Choice[]): readonly Choice[] =>
  items.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...items];

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
