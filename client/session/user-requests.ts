import { isDeepStrictEqual } from "node:util";
import type { PendingTool } from "../../shared/contract/team.ts";
import { roleOf } from "../../shared/state/people.ts";
import { threadName } from "../../shared/text/thread-name.ts";
import { userTurnOf } from "../common/run-pause.ts";
import { callApprovals } from "./call-approvals.ts";
import { callerNames } from "./identical-calls.ts";
import type { TeamSession } from "./team-session.ts";

/** A pending call of one of the open teams. */
export interface PendingCall {
  readonly session: TeamSession;
  readonly call: PendingTool;
}

/** Something that waits for the user: calls that one decision answers, or the user's turn in a team. */
export type UserRequest =
  | { readonly kind: "approval" | "question"; readonly first: PendingCall; readonly calls: readonly PendingCall[] }
  | { readonly kind: "turn"; readonly session: TeamSession; readonly speaker: string };

/** All that waits for the user in the open teams. The same approval from several participants or teams is one. */
export function userRequests(teams: readonly TeamSession[]): readonly UserRequest[] {
  const calls = teams.flatMap((session) => (session.state?.pendingTools ?? []).map((call) => ({ session, call })));
  const requests: UserRequest[] = [];
  const grouped = new Set<PendingCall>();
  for (const first of calls) {
    if (grouped.has(first)) continue;
    const same = calls.filter((other) => other === first || isSameApproval(first, other));
    for (const call of same) grouped.add(call);
    requests.push({ kind: first.call.approval === true ? "approval" : "question", first, calls: same });
  }
  for (const session of teams) {
    const speaker = session.state === undefined ? null : userTurnOf(session.state);
    if (speaker !== null) requests.push({ kind: "turn", session, speaker });
  }
  return requests;
}

/** Whether a request can be decided by this user, and was not yet: others may have to approve a call, too. */
export function waitsForUser(request: UserRequest): boolean {
  if (request.kind === "turn") return isActing(request.session);
  return request.calls.some(
    ({ session, call }) =>
      session.state !== undefined && callApprovals(session.state, call, session.user).own === "decide",
  );
}

const isActing = ({ state, user }: TeamSession): boolean => state !== undefined && roleOf(state, user) !== "observer";

/** Who asks, each once, and in which teams. */
export function askers(calls: readonly PendingCall[]): { readonly who: string; readonly teams: string } {
  const teams = [
    ...new Set(calls.map(({ session }) => (session.state === undefined ? "" : threadName(session.state)))),
  ];
  return { who: callerNames(calls.map(({ call }) => call)), teams: teams.join(", ") };
}

/** The same input in another folder is another request. */
function isSameApproval(one: PendingCall, other: PendingCall): boolean {
  const [a, b] = [one.call, other.call];
  if (a.approval !== true || b.approval !== true || a.name !== b.name) return false;
  return isDeepStrictEqual(a.input, b.input) && isSamePlace(one.session, other.session);
}

const isSamePlace = (one: TeamSession, other: TeamSession): boolean => one === other || pathsOf(one) === pathsOf(other);

const pathsOf = ({ place }: TeamSession): string => place.folders.map(({ uri }) => uri.toString()).join("\n");
