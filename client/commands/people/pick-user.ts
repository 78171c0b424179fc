import { type QuickPickItem, window } from "vscode";
import type { Person, Role } from "../../../shared/contract/people.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { plainText } from "../../common/plain-text.ts";
import type { TeamActions } from "../../session/team-actions.ts";

export const ROLE_LABEL: Readonly<Record<Role, string>> = { chair: "Chair", member: "Member", observer: "Observer" };

/** A row for a user of the team. */
export interface UserItem extends QuickPickItem {
  readonly id: string;
}

/** The users of the team that is open. @throws Error where it has one alone. */
export function usersOf({ team }: TeamActions): readonly Person[] {
  const { people = [] } = team;
  if (people.length > 1) return people;
  throw new Error("This team has one user. Others have a role once they have opened it.");
}

/** The row of a user; names are shown as they are. */
export function userItem({ id, name, role }: Person, user: string): UserItem {
  const shown = plainText(visibleText(name).text);
  return { id, label: `$(account) ${shown}${id === user ? " (you)" : ""}`, description: ROLE_LABEL[role] };
}

/** Asks for one of these users. */
export const pickUser = (
  items: readonly UserItem[],
  question: { readonly title: string; readonly placeHolder: string },
): Thenable<UserItem | undefined> => window.showQuickPick(items, { ...question, matchOnDescription: true });
