import { ERROR_CODES, type ErrorCode, GavelError } from "../../../shared/contract/errors.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { BUDGET, StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { TaskResult } from "../../../shared/contract/team.ts";
import { visibleToAll } from "../context/user-message.ts";
import type { NestedTeam } from "./nested-team.ts";
import type { Turn, TurnOutcome } from "./participant.ts";

/** How a nested team's run came out for the turn that it is a part of: at its end, or with why the turn stops here. */
export type NestedRunOutcome = { readonly kind: "done" } | Exclude<TurnOutcome, { kind: "reply" }>;

/** Lets the nested team work, from where it stands, until its run ends. @throws GavelError when its run fails. */
export async function runNested(name: string, team: NestedTeam, turn: Turn): Promise<NestedRunOutcome> {
  const { signal } = turn;
  if (team.state.pendingTools.length > 0) return { kind: "awaitingTools" };
  const result = await continueRun(name, team, turn);
  if (signal.aborted) return { kind: "interrupted" };
  const { stopReason, status } = result;
  if (status.code === "error") throw failureOf(result);
  if (stopReason === StopReason.toolInterrupt) return { kind: "awaitingTools" };
  if (stopReason === StopReason.userInputRequested) return awaitingUser(name, team);
  if (status.reason === BUDGET) return { kind: "paused", stopReason, status };
  // An interrupt of someone within, or one that lets the model step in progress end, stops the turn and keeps the run.
  if (stopReason === StopReason.userInterrupt) return { kind: "interrupted" };
  return { kind: "done" };
}

function continueRun(name: string, team: NestedTeam, { signal, soft, thread, userInput }: Turn): Promise<TaskResult> {
  if (userInput !== undefined) return team.run(userInput, { signal, soft });
  if (team.state.openTurns.some(({ awaits }) => awaits === undefined)) return team.resume({ signal, soft });
  const fresh = unseenMessages(name, team, thread).map(visibleToAll);
  return team.run(fresh.length > 0 ? fresh : undefined, { signal, soft });
}

/** What was said in the team around since the nested one's last answer, and has not been sent to it yet. */
function unseenMessages(name: string, team: NestedTeam, thread: readonly ChatMessage[]): readonly ChatMessage[] {
  const since = thread.slice(thread.findLastIndex(({ source }) => source === name) + 1);
  return since.filter(({ id }) => team.messages.findLast((heard) => heard.id === id) === undefined);
}

/**
 * True when the nested team has come to an end, and nothing was said to it since: an interrupt may have come before its
 * answer.
 */
export function hasEnded(name: string, team: NestedTeam, { thread }: Turn): boolean {
  const { status, lastStop } = team.state;
  return status === "idle" && lastStop !== undefined && unseenMessages(name, team, thread).length === 0;
}

function awaitingUser(name: string, team: NestedTeam): TurnOutcome & { kind: "awaitingUser" } {
  const { participant = "user", path = [] } = team.state.awaitingUser ?? {};
  return { kind: "awaitingUser", participant, through: [name, ...path] };
}

function failureOf({ status }: TaskResult): GavelError {
  const { reason = "InternalError", message = "The nested team failed." } = status;
  const code: ErrorCode = reason in ERROR_CODES ? (reason as ErrorCode) : "InternalError";
  return new GavelError(message, { code });
}
