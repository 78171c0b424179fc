import { type QuickInputButton, QuickPickItemKind, ThemeIcon, window } from "vscode";
import type { TeamStatus, TeamSummary } from "../../../shared/contract/team.ts";
import { threadName } from "../../../shared/text/thread-name.ts";
import { timeAgo } from "../../../shared/text/time-ago.ts";
import { usageText } from "../../../shared/text/usage-text.ts";
import { dayText } from "../../common/day-text.ts";
import { plainText } from "../../common/plain-text.ts";
import { progressOf, progressText } from "../../common/team-progress.ts";
import { Disposables } from "../../disposables.ts";
import type { Command, Services } from "../command.ts";
import { deleteThread } from "./delete-thread.ts";
import { exportThread } from "./export-thread.ts";
import { type FoundMessage, FoundMessages, type ThreadItem } from "./found-messages.ts";
import { renameWithQuestion } from "./rename-thread.ts";

const RENAME: QuickInputButton = { iconPath: new ThemeIcon("edit"), tooltip: "Rename Thread…" };
const EXPORT: QuickInputButton = { iconPath: new ThemeIcon("export"), tooltip: "Export as Markdown" };
const DELETE: QuickInputButton = { iconPath: new ThemeIcon("trash"), tooltip: "Delete" };

interface Picked {
  readonly team: TeamSummary;
  readonly action: "open" | "rename";
  readonly found?: FoundMessage | undefined;
}

/** Opens the thread with the given id, or one picked from a list, where threads are also renamed, exported and deleted. */
export const openStoredTeam: Command = async (services, argument) => {
  const picked = typeof argument === "string" ? { teamId: argument } : await pickThread(services);
  if (picked === undefined) return;
  const { teamId, found } = picked;
  await services.opener.openStored(teamId);
  if (found === undefined) await services.chat.focus();
  else await services.chat.reveal({ type: "find", ...found });
};

/** The list is shown again after a thread was renamed, which takes its place on the screen. */
async function pickThread(
  services: Services,
): Promise<{ readonly teamId: string; readonly found?: FoundMessage | undefined } | undefined> {
  let active: string | undefined;
  for (;;) {
    const picked = await pickAction(services, active);
    if (picked === undefined) return undefined;
    if (picked.action === "open") return { teamId: picked.team.teamId, found: picked.found };
    await renameWithQuestion(services, picked.team);
    active = picked.team.teamId;
  }
}

/** The row of the thread with the id `active` is the active one. */
async function pickAction(services: Services, active: string | undefined): Promise<Picked | undefined> {
  let stored = await services.opener.stored();
  if (stored.length === 0) throw new Error("There are no threads yet. Open a team to start one.");
  const scope = new Disposables();
  const picker = scope.add(window.createQuickPick<ThreadItem>());
  picker.title = "Recent Threads";
  picker.placeholder = "Search names and messages, or select a thread";
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  const found = new FoundMessages(services.host, picker, () => ({ items: itemsFor(stored, services), stored }));
  scope.add(found);
  found.update();
  const isActive = ({ team }: ThreadItem): boolean => team !== undefined && team.teamId === active;
  if (picker.items.some(isActive)) picker.activeItems = picker.items.filter(isActive);
  try {
    return await new Promise<Picked | undefined>((resolve) => {
      scope.add(
        picker.onDidAccept(() => {
          const { team, found: message } = picker.selectedItems[0] ?? {};
          if (team !== undefined) resolve({ team, action: "open", found: message });
        }),
      );
      scope.add(picker.onDidHide(() => resolve(undefined)));
      scope.add(
        picker.onDidTriggerItemButton(({ item: { team }, button }) => {
          if (team === undefined) return;
          if (button === RENAME) resolve({ team, action: "rename" });
          else
            void act(button, team, services).then((left) => {
              stored = left ?? stored;
              found.update();
            });
        }),
      );
      picker.show();
    });
  } finally {
    scope.dispose();
  }
}

/** Does what a button of a row says; the list stays open. Returns the threads that are left, if one was deleted. */
async function act(
  button: QuickInputButton,
  team: TeamSummary,
  services: Services,
): Promise<readonly TeamSummary[] | undefined> {
  try {
    if (button === EXPORT) await exportThread(services, team.teamId);
    else {
      await deleteThread(services, team);
      return await services.opener.stored();
    }
  } catch (error) {
    services.notices.report(error);
  }
  return undefined;
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
  const usage = mirror?.state.usage ?? team.usage;
  const used = usage !== undefined && usage.total > 0 ? usageText(usage) : "";
  const parts = [mirror === undefined ? "" : "open", state, timeAgo(team.updatedAt), used];
  return {
    team,
    label: plainText(threadName(team)),
    description: parts.filter((part) => part !== "").join(" · "),
    detail: plainText(team.lastLine ?? "No messages yet"),
    buttons: [RENAME, EXPORT, DELETE],
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
