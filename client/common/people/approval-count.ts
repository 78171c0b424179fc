import type { Person } from "../../../shared/contract/people.ts";
import type { PendingTool } from "../../../shared/contract/team.ts";
import { jsonEquals } from "../../../shared/json-equals.ts";
import { roleOf } from "../../../shared/state/people.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { choiceText, listText } from "../../../shared/text/list-text.ts";

type Team = Pick<TeamState, "chair" | "people" | "newcomers" | "approvers">;

/** How far the approvals of a call are, as the user of this window sees it. */
export interface ApprovalCount {
  readonly required: number;
  /** The ids of those who have approved it. */
  readonly by: readonly string[];
  /** The ids of the others who may. */
  readonly open: readonly string[];
  /**
   * What this user can do: `decide`, only deny it after an approval of their own (`approved`), or nothing: others decide on
   * the calls of this team (`others`), or the user observes it.
   */
  readonly own: "decide" | "approved" | "others" | "observer";
}

/** Counts as the host does. */
export function approvalCount(
  team: Team,
  { approval, required = 1, approvals = [] }: Pick<PendingTool, "approval" | "required" | "approvals">,
  user: string,
): ApprovalCount {
  const { from } = team.approvers ?? {};
  const counts = (id: string): boolean =>
    roleOf(team, id) !== "observer" && (approval !== true || (from?.includes(id) ?? true));
  const by = approvals.map((each) => each.by).filter(counts);
  const known: readonly Pick<Person, "id">[] = team.people ?? [{ id: user }];
  const ids = [...new Set([...known.map(({ id }) => id), ...(from ?? [])])];
  return { required, by, open: ids.filter((id) => counts(id) && !by.includes(id)), own: ownPart() };

  function ownPart(): ApprovalCount["own"] {
    if (roleOf(team, user) === "observer") return "observer";
    if (!counts(user)) return "others";
    return by.includes(user) ? "approved" : "decide";
  }
}

/**
 * How far the approvals are, and who may still decide, in a sentence or two. Undefined for a call that this user decides on
 * alone.
 * @param nameOf the name of a user within a sentence: "you" for this one.
 */
export function approvalCountText(
  { required, by, open, own }: ApprovalCount,
  user: string,
  nameOf: (id: string) => string,
): string | undefined {
  const others = open.filter((id) => id !== user).map(nameOf);
  if (required <= 1) return own === "others" ? `${capital(onlyText(others))} may decide on this call.` : undefined;
  const who = by.length === 0 ? "" : `: ${listText(by.map(nameOf))}`;
  const head = `${by.length} of ${required} approvals${who}.`;
  const missing = required - by.length;
  switch (own) {
    case "decide":
      if (missing <= 1) return `${head} Yours is the last one.`;
      return `${head} After you, ${neededText(missing - 1, others)}`;
    case "approved":
    case "observer":
      return `${head} ${capital(neededText(missing, others))}`;
    case "others":
      return `${head} ${capital(onlyText(others))} may decide on this call.`;
  }
}

const onlyText = (names: readonly string[]): string => `only ${choiceText(names)}`;

/** Who has to approve too: `Ben or Eva has to approve too.` */
function neededText(missing: number, names: readonly string[]): string {
  if (missing < names.length) {
    const some = missing === 1 ? choiceText(names) : `${missing} of ${listText(names)}`;
    return `${some} ${missing === 1 ? "has" : "have"} to approve too.`;
  }
  const unknown = missing - names.length;
  const more = unknown === 0 ? [] : [`${unknown} more ${unknown === 1 ? "user" : "users"}`];
  if (names.length === 0) return `${more[0]} ${unknown === 1 ? "has" : "have"} to open this team and approve too.`;
  return `${listText([...names, ...more])} ${missing === 1 ? "has" : "have"} to approve too.`;
}

/** Names are left as they are. */
const capital = (text: string): string =>
  text.replace(/^(only|you) /u, (word) => word[0]?.toUpperCase() + word.slice(1));

/** Whether calls of a team wait, and each of them for others than this user. */
export const waitsForOthers = (team: Team & Pick<TeamState, "pendingTools">, user: string): boolean =>
  team.pendingTools.length > 0 && team.pendingTools.every((call) => approvalCount(team, call, user).own !== "decide");

/** What others have approved, where it is not what the call itself proposes: another input, or an output in its place. */
export function otherApproved({
  input,
  underApproval,
}: Pick<PendingTool, "input" | "underApproval">): PendingTool["underApproval"] {
  if (underApproval === undefined) return undefined;
  const isProposed = underApproval.how === "restart" && jsonEquals(underApproval.value, input ?? null);
  return isProposed ? undefined : underApproval;
}
