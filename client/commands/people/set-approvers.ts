import { type QuickPickItem, window } from "vscode";
import type { Person } from "../../../shared/contract/people.ts";
import { countText } from "../../../shared/text/count-text.ts";
import type { Command } from "../command.ts";
import { userItem, usersOf } from "./pick-user.ts";

const TITLE = "Set Approvers";

type CountItem = QuickPickItem & { readonly required: number };

/** Asks how many users have to approve a tool call, and whose approvals count. */
export const setApprovers: Command = async ({ actions, opener }) => {
  await opener.restore();
  const people = usersOf(actions).filter(({ role }) => role !== "observer");
  const { teamId, approvers } = actions.team;
  const required = await pickCount(people.length, approvers?.required ?? 1);
  if (required === undefined) return;
  const from = await pickApprovers(people, required, approvers?.from, actions.user);
  if (from === undefined) return;
  // All of them: those who come later count, too.
  const isAll = from.length === people.length;
  await actions.setApprovers(teamId, isAll ? { required } : { required, from: [...from] });
};

async function pickCount(most: number, now: number): Promise<number | undefined> {
  const items = Array.from({ length: most }, (_, index): CountItem => {
    const required = index + 1;
    const detail =
      required === 1
        ? "One user decides; rules can allow calls without asking"
        : `A call runs once ${required} users have approved the same; no rule allows one without asking`;
    return {
      required,
      label: countText(required, "approval"),
      detail,
      ...(required === now ? { description: "now" } : {}),
    };
  });
  const picked = await window.showQuickPick(items, {
    title: TITLE,
    placeHolder: "Select how many users have to approve a tool call; a team file can ask for more",
  });
  return picked?.required;
}

/** The ids of those whose approvals count; undefined if the list was closed. @throws Error for fewer than are required. */
async function pickApprovers(
  people: readonly Person[],
  required: number,
  from: readonly string[] | undefined,
  user: string,
): Promise<readonly string[] | undefined> {
  const items = people.map((person) => ({
    ...userItem(person, user),
    picked: from?.includes(person.id) ?? true,
  }));
  const picked = await window.showQuickPick(items, {
    title: TITLE,
    placeHolder: "Select whose approvals count",
    canPickMany: true,
  });
  if (picked === undefined) return undefined;
  if (picked.length < required) {
    throw new Error(
      `${countText(required, "approval")} need at least as many approvers, and you selected ${picked.length}. Select more.`,
    );
  }
  return picked.map(({ id }) => id);
}
