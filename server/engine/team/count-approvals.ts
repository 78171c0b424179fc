import { notAuthorized } from "../../../shared/contract/errors.ts";
import type { DecidedCall, PendingTool } from "../../../shared/contract/team.ts";
import { jsonEquals } from "../../../shared/json-equals.ts";
import { nameOf, roleOf } from "../../../shared/state/people.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { listText } from "../../../shared/text/list-text.ts";
import type { ToolAnswers } from "../requests.ts";
import type { TeamTree } from "../run/team-tree.ts";
import { alreadyDecided } from "./decided-calls.ts";

/** How many users have to approve calls of a team before they run, as its chair and its file say: the more of both. */
export const requiredApprovals = (
  { approvers }: Pick<TeamState, "approvers">,
  { approvals }: { readonly approvals?: { readonly required: number } | undefined },
): number => Math.max(approvers?.required ?? 1, approvals?.required ?? 1);

/** An approval that is counted: the call still waits for others. */
interface CountedApproval {
  readonly call: PendingTool;
  readonly how: "restart" | "respond";
  /** What was approved: the input, or for an answer in the tool's place the output. */
  readonly approved: unknown;
}

export interface CountedAnswers {
  /** The answers that decide. */
  readonly deciding: ToolAnswers;
  readonly counted: readonly CountedApproval[];
}

interface Counting {
  readonly state: TeamState;
  readonly by: string;
  readonly required: number;
  readonly isReadOnly: (call: PendingTool) => boolean;
}

/**
 * Separates the answers that decide from those that are counted until enough users have approved the same. A denial decides.
 * @throws GavelError `NotAuthorized` for a user whose approval does not count, `InvalidResume` for one who has approved the
 * same before.
 */
export function countApprovals(answers: ToolAnswers, counting: Counting): CountedAnswers {
  const { state, by, required } = counting;
  const refs = Object.values(answers).flatMap((list: readonly { readonly ref: string }[] = []) =>
    list.map(({ ref }) => ref),
  );
  const called = new Map(state.pendingTools.map((call) => [call.ref, call]));
  const asked = refs.flatMap((ref) => called.get(ref) ?? []).filter((call) => call.approval);
  const { from } = state.approvers ?? {};
  if (asked.length > 0 && from !== undefined && !from.includes(by)) throw notAnApprover(state, from);
  if (required <= 1) return { deciding: answers, counted: [] };
  // Who is no approver any more does not count any more.
  const counts = (user: string): boolean => (from?.includes(user) ?? true) && roleOf(state, user) !== "observer";
  const counted: CountedApproval[] = [];
  const again: DecidedCall[] = [];
  const decides = (ref: string, how: CountedApproval["how"], approved: unknown): boolean => {
    const call = called.get(ref);
    const isAsked = call !== undefined && (how === "restart" || call.approval === true);
    if (!isAsked || call.review || counting.isReadOnly(call)) return true;
    const users = isSame(call, how, approved) ? (call.approvals ?? []).map((one) => one.by).filter(counts) : [];
    if (users.includes(by)) again.push({ ref, by, how });
    if (new Set([...users, by]).size >= required) return true;
    counted.push({ call, how, approved });
    return false;
  };
  const respond = answers.respond?.filter(({ ref, output }) => decides(ref, "respond", output ?? null));
  const restart = answers.restart?.filter(({ ref, input }) => decides(ref, "restart", input ?? called.get(ref)?.input));
  if (again.length > 0) throw alreadyDecided(again, by, state, { refs: again.map(({ ref }) => ref) });
  return { deciding: { respond, restart, deny: answers.deny }, counted };
}

/** Whether the approvals so far are of exactly that. */
const isSame = ({ underApproval }: PendingTool, how: CountedApproval["how"], value: unknown): boolean =>
  underApproval?.how === how && jsonEquals(underApproval.value, value);

/** Records the approvals that only count, each in the team whose call it is. */
export function recordApprovals(
  tree: TeamTree,
  counted: readonly CountedApproval[],
  { by, required }: { readonly by: string; readonly required: number },
): void {
  for (const { call, how, approved } of counted) {
    const team = (call.path ?? []).reduce<TeamTree | undefined>((outer, name) => outer?.inner.get(name), tree);
    team?.ledger.record({ type: "tool/approved", ref: call.ref, by, how, value: approved, required });
  }
}

const notAnApprover = (state: TeamState, from: readonly string[]): Error =>
  notAuthorized(
    `Only ${listText(from.map((user) => nameOf(state, user)))} may decide on calls of this team; ask one of them.`,
    { from },
  );
