import { type QuickPickItem, window } from "vscode";
import type { NewcomerRole } from "../../../shared/contract/people.ts";
import type { Command } from "../command.ts";
import { pickUser, ROLE_LABEL, userItem, usersOf } from "./pick-user.ts";

const TITLE = "Set a Role";

/** The row for those who are not there yet. */
const NEWCOMERS = "";

type RoleItem = QuickPickItem & { readonly role: NewcomerRole };

/** Makes another user a member or an observer, or says what those are who open the team for the first time. */
export const setRole: Command = async ({ actions, opener }) => {
  await opener.restore();
  const { teamId, chair, newcomers = "member" } = actions.team;
  const others = usersOf(actions).filter(({ id }) => id !== chair);
  const all = [
    ...others.map((person) => userItem(person, actions.user)),
    { id: NEWCOMERS, label: "$(organization) Everyone new", description: ROLE_LABEL[newcomers] },
  ];
  const picked = await pickUser(all, { title: TITLE, placeHolder: "Select whose role to change" });
  if (picked === undefined) return;
  const now = others.find(({ id }) => id === picked.id)?.role ?? newcomers;
  const role = await pickRole(now === "chair" ? "member" : now);
  if (role !== undefined) await actions.setRole(teamId, role, picked.id === NEWCOMERS ? undefined : picked.id);
};

async function pickRole(now: NewcomerRole): Promise<NewcomerRole | undefined> {
  const items: readonly RoleItem[] = [
    {
      role: "member",
      label: ROLE_LABEL.member,
      detail: "Runs the team, sends messages, interrupts, and decides on tool calls",
    },
    { role: "observer", label: ROLE_LABEL.observer, detail: "Reads" },
  ];
  const shown = items.map((item) => (item.role === now ? { ...item, description: "now" } : item));
  const picked = await window.showQuickPick(shown, { title: TITLE, placeHolder: "Select the role" });
  return picked?.role;
}
