import { type QuickInputButton, type QuickPick, type QuickPickItem, ThemeIcon, window } from "vscode";
import { TeamDelete } from "../../shared/contract/requests.ts";
import type { TeamSummary } from "../../shared/contract/team.ts";
import { countText } from "../common/count-text.ts";
import { plainText } from "../common/plain-text.ts";
import { timeAgo } from "../common/time-ago.ts";
import { askModal } from "../dialogs/ask-modal.ts";
import { Disposables } from "../disposables.ts";
import type { Command, Services } from "./command.ts";

const DELETE: QuickInputButton = { iconPath: new ThemeIcon("trash"), tooltip: "Delete This Team…" };
const CONFIRM = "Delete";

type TeamItem = QuickPickItem & { readonly team: TeamSummary };

/** Opens the stored team with the given id, or one picked from a list, in which teams can also be deleted. */
export const openStoredTeam: Command = async (services, argument) => {
  const teamId = typeof argument === "string" ? argument : await pickTeam(services);
  if (teamId === undefined) return;
  await services.opener.openStored(teamId);
  await services.chat.focus();
};

async function pickTeam(services: Services): Promise<string | undefined> {
  const items = (await services.opener.stored()).map(itemFor);
  if (items.length === 0) throw new Error("There are no stored teams yet. Open a team file to create one.");
  const scope = new Disposables();
  const picker = scope.add(window.createQuickPick<TeamItem>());
  picker.title = "Open Stored Team";
  picker.placeholder = "Select a team";
  picker.matchOnDetail = true;
  picker.items = items;
  try {
    return await new Promise<string | undefined>((resolve) => {
      scope.add(picker.onDidAccept(() => resolve(picker.selectedItems[0]?.team.teamId)));
      scope.add(picker.onDidHide(() => resolve(undefined)));
      scope.add(picker.onDidTriggerItemButton(({ item }) => void removeFrom(picker, item, services)));
      picker.show();
    });
  } finally {
    scope.dispose();
  }
}

/** The list stays open while the confirmation has the focus. */
async function removeFrom(picker: QuickPick<TeamItem>, item: TeamItem, services: Services): Promise<void> {
  picker.ignoreFocusOut = true;
  try {
    if (!(await confirmed(item.team))) return;
    await services.host.request(TeamDelete, { teamId: item.team.teamId });
    const open = services.teams.find(item.team.teamId);
    if (open !== undefined) services.teams.close(open);
    picker.items = picker.items.filter(({ team }) => team.teamId !== item.team.teamId);
  } catch (error) {
    services.notices.report(error);
  } finally {
    picker.ignoreFocusOut = false;
  }
}

async function confirmed({ name, threadLength }: TeamSummary): Promise<boolean> {
  const detail = `Its thread of ${countText(threadLength, "message")} will be deleted. You cannot undo this.`;
  return (await askModal(`Delete ${name}?`, detail, CONFIRM)) === CONFIRM;
}

function itemFor(team: TeamSummary): TeamItem {
  return {
    team,
    label: plainText(team.name),
    description: timeAgo(team.updatedAt),
    detail: plainText(team.lastLine ?? "no messages yet"),
    buttons: [DELETE],
  };
}
