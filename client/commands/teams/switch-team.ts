import { type QuickInputButton, type QuickPick, type QuickPickItem, ThemeIcon, window } from "vscode";
import { firstLine, textOf } from "../../../shared/contract/message-text.ts";
import { plainText } from "../../common/plain-text.ts";
import { progressIcon, progressOf, progressText } from "../../common/team-progress.ts";
import { Disposables } from "../../disposables.ts";
import type { TeamSession } from "../../session/team-session.ts";
import { teamTitle } from "../../session/team-title.ts";
import type { Command, Services } from "../command.ts";
import { closeWithQuestion } from "./close-team.ts";

const CLOSE: QuickInputButton = { iconPath: new ThemeIcon("close"), tooltip: "Close Team" };

type TeamItem = QuickPickItem & { readonly session?: TeamSession };

const OPEN_ANOTHER: TeamItem = { label: "$(add) Open Another Team…", alwaysShow: true };

/** Shows another open team: the one with the given id, or one picked from a list with the state of each. */
export const switchTeam: Command = async (services, argument) => {
  const { opener, teams, chat } = services;
  await opener.restore();
  if (typeof argument === "string") {
    if (argument === teams.failure?.uri) return teams.fail(teams.failure);
    const named = teams.find(argument);
    if (named === undefined) throw new Error("This team is no longer open. Open it from the recent threads.");
    teams.activate(named);
    return;
  }
  const picked = await pickTeam(services);
  if (picked === undefined) return;
  if (picked.session === undefined) return services.run("gavel.openTeamFile");
  teams.activate(picked.session);
  await chat.focus();
};

/** The list is kept up to date, and starts at the team that was active before this one. */
async function pickTeam(services: Services): Promise<TeamItem | undefined> {
  const { teams, unread } = services;
  const scope = new Disposables();
  const picker = scope.add(window.createQuickPick<TeamItem>());
  picker.title = "Switch Team";
  picker.placeholder = "Select the team to show; all of them keep running";
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  let shown = "";
  const show = (): void => {
    const items = [...teams.recent.map((session) => itemFor(session, services)), OPEN_ANOTHER];
    const key = JSON.stringify(items.map(({ label, description, detail }) => [label, description, detail]));
    if (key === shown) return;
    shown = key;
    keepingActive(picker, items);
  };
  show();
  const previous = picker.items.find(({ session }) => session !== undefined && session !== teams.active);
  if (previous !== undefined) picker.activeItems = [previous];
  try {
    return await new Promise<TeamItem | undefined>((resolve) => {
      scope.add(teams.onStateChanged(show));
      scope.add(unread.onChanged(show));
      scope.add(picker.onDidAccept(() => picker.selectedItems[0] && resolve(picker.selectedItems[0])));
      scope.add(picker.onDidTriggerItemButton(({ item }) => void closeFrom(picker, item, services)));
      scope.add(picker.onDidHide(() => resolve(undefined)));
      picker.show();
    });
  } finally {
    scope.dispose();
  }
}

function keepingActive(picker: QuickPick<TeamItem>, items: readonly TeamItem[]): void {
  const active = picker.activeItems[0]?.session;
  picker.items = items;
  const same = items.find(({ session }) => session !== undefined && session === active);
  if (same !== undefined) picker.activeItems = [same];
}

/** The list stays open while the question has the focus. */
async function closeFrom(picker: QuickPick<TeamItem>, { session }: TeamItem, services: Services): Promise<void> {
  if (session === undefined) return;
  picker.ignoreFocusOut = true;
  try {
    await closeWithQuestion(services, session);
  } catch (error) {
    services.notices.report(error);
  } finally {
    picker.ignoreFocusOut = false;
  }
}

function itemFor(session: TeamSession, { teams, unread }: Services): TeamItem {
  const { mirror } = session;
  if (mirror === undefined) return { label: "", session };
  const name = teamTitle(
    mirror.state,
    teams.all.map(({ state }) => state),
  );
  const progress = progressOf(mirror.state, mirror.tail);
  const last = mirror.state.thread.at(-1);
  const count = unread.of(session);
  const parts = [
    progressText[progress],
    ...(count === 0 ? [] : [`${count} unread`]),
    ...(session === teams.active ? ["shown"] : []),
  ];
  return {
    session,
    label: `$(${progressIcon[progress]}${progress === "running" ? "~spin" : ""}) ${plainText(name)}`,
    description: parts.join(" · "),
    detail: plainText(last === undefined ? "No messages yet" : firstLine(textOf(last))),
    buttons: [CLOSE],
  };
}
