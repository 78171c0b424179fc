import {
  type QuickInputButton,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  ThemeIcon,
  window,
} from "vscode";
import type { TeamStatus, TeamSummary } from "../../shared/contract/team.ts";
import { dayText } from "../common/day-text.ts";
import { plainText } from "../common/plain-text.ts";
import { progressOf, progressText } from "../common/team-progress.ts";
import { timeAgo } from "../common/time-ago.ts";
import { usageText } from "../common/usage-text.ts";
import { Disposables } from "../disposables.ts";
import type { Command, Services } from "./command.ts";
import { deleteThread } from "./delete-thread.ts";
import { exportThread } from "./export-thread.ts";

const EXPORT: QuickInputButton = { iconPath: new ThemeIcon("export"), tooltip: "Export as Markdown" };
const DELETE: QuickInputButton = { iconPath: new ThemeIcon("trash"), tooltip: "Delete" };

type ThreadItem = QuickPickItem & { readonly team?: TeamSummary };

/** Opens the thread with the given id, or one picked from all, in which threads can also be exported and deleted. */
export const openStoredTeam: Command = async (services, argument) => {
  const teamId = typeof argument === "string" ? argument : await pickThread(services);
  if (teamId === undefined) return;
  await services.opener.openStored(teamId);
  await services.chat.focus();
};

async function pickThread(services: Services): Promise<string | undefined> {
  const stored = await services.opener.stored();
  if (stored.length === 0) throw new Error("There are no threads yet. Open a team to start one.");
  const scope = new Disposables();
  const picker = scope.add(window.createQuickPick<ThreadItem>());
  picker.title = "Recent Threads";
  picker.placeholder = "Search by team and by text, or select a thread";
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  picker.items = itemsFor(stored, services);
  try {
    return await new Promise<string | undefined>((resolve) => {
      scope.add(
        picker.onDidAccept(() => picker.selectedItems[0]?.team && resolve(picker.selectedItems[0].team.teamId)),
      );
      scope.add(picker.onDidHide(() => resolve(undefined)));
      scope.add(
        picker.onDidTriggerItemButton(({ item: { team }, button }) => {
          if (team !== undefined) void act(button, team, picker, services);
        }),
      );
      picker.show();
    });
  } finally {
    scope.dispose();
  }
}

/** Does what a button of a row says; the list stays open. */
async function act(
  button: QuickInputButton,
  { teamId, name }: TeamSummary,
  picker: QuickPick<ThreadItem>,
  services: Services,
): Promise<void> {
  try {
    if (button === EXPORT) return await exportThread(services, teamId);
    await deleteThread(services, { teamId, name });
    picker.items = itemsFor(await services.opener.stored(), services);
  } catch (error) {
    services.notices.report(error);
  }
}

/** The threads under the headings of their days; the host lists them newest first. */
function itemsFor(stored: readonly TeamSummary[], services: Services): readonly ThreadItem[] {
  let day = "";
  return stored.flatMap((team): ThreadItem[] => {
    const item = itemFor(team, services);
    const own = dayText(team.updatedAt);
    if (own === day) return [item];
    day = own;
    return [{ label: day, kind: QuickPickItemKind.Separator }, item];
  });
}

function itemFor(team: TeamSummary, { teams }: Services): ThreadItem {
  const mirror = teams.find(team.teamId)?.mirror;
  const state = mirror === undefined ? statusText[team.status] : progressText[progressOf(mirror.state, mirror.tail)];
  const used = mirror !== undefined && mirror.state.usage.total > 0 ? usageText(mirror.state.usage) : "";
  const parts = [mirror === undefined ? "" : "open", state, timeAgo(team.updatedAt), used];
  return {
    team,
    label: plainText(team.name),
    description: parts.filter((part) => part !== "").join(" · "),
    detail: plainText(team.lastLine ?? "No messages yet"),
    buttons: [EXPORT, DELETE],
  };
}

/** Of a thread that is not open; what it needs is said when it is opened. */
const statusText: Readonly<Record<TeamStatus, string>> = {
  idle: "",
  running: "Running",
  interrupting: "Running",
  paused: "Paused",
  awaitingTools: "Approval needed",
};
