import type { Role } from "../../../shared/contract/people.ts";
import { choiceText, listText } from "../../../shared/text/list-text.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import { displayName, nameInSentence, type Participants } from "../../common/participants/participants.ts";
import type { PeopleChange, PeopleItem } from "../../common/timeline/items.ts";

const ROLE: Readonly<Record<Role, string>> = { chair: "the chair", member: "a member", observer: "an observer" };

type Change<W extends PeopleChange["what"]> = Extract<PeopleChange, { readonly what: W }>;
type NameOf = (id: string) => string;

/** What a user changed about the users of the team, or approved, without a full stop. */
export function peopleText({ by, change }: Pick<PeopleItem, "by" | "change">, members: Participants): string {
  const nameOf: NameOf = (id) => nameInSentence(id, members);
  return `${displayName(by, members)} ${didText(by, change, nameOf)}`;
}

function didText(by: string, change: PeopleChange, nameOf: NameOf): string {
  switch (change.what) {
    case "role":
      return roleText(by, change, nameOf);
    case "approvers":
      return approversText(change, nameOf);
    case "approval": {
      const { name, how, count, required } = change;
      const what = `${how === "restart" ? "" : "an answer in place of "}${name === "" ? "a call" : visibleLines(name)}`;
      return `approved ${what}: ${count} of ${required} approvals`;
    }
  }
}

function roleText(by: string, { user, role, taken }: Change<"role">, nameOf: NameOf): string {
  if (user === undefined) return `made everyone who opens this team for the first time ${ROLE[role]}`;
  if (taken) return "took the chair";
  if (user === by) return role === "chair" ? "became the chair" : `joined as ${ROLE[role]}`;
  return role === "chair" ? `handed the chair to ${nameOf(user)}` : `made ${nameOf(user)} ${ROLE[role]}`;
}

function approversText({ required, from = [] }: Change<"approvers">, nameOf: NameOf): string {
  const names = from.map(nameOf);
  if (required > 1)
    return `required ${required} approvals for a call${names.length === 0 ? "" : `, of ${listText(names)}`}`;
  return names.length === 0 ? "let one approval be enough for a call" : `let only ${choiceText(names)} decide on calls`;
}
