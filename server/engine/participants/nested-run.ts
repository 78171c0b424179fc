import { ERROR_CODES, type ErrorCode, GavelError } from "../../../shared/contract/errors.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { BUDGET, StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { TaskResult } from "../../../shared/contract/team.ts";
import { outerMessage } from "../context/outer-message.ts";
import type { NestedTeam } from "./nested-team.ts";
import type { Turn, TurnOutcome } from "./participant.ts";

/** The outcome of a nested run for the turn that it is part of: finished, or why the turn stops here. */
export type NestedRunOutcome = { readonly kind: "done" } | Exclude<TurnOutcome, { kind: "reply" | "answered" }>;

/**
 * Runs the nested team of the participant `name` of the team `outer`, from its current state, until its run ends.
 * @throws GavelError when its run fails.
 */
export async function runNested(name: string, outer: string, team: NestedTeam, turn: Turn): Promise<NestedRunOutcome> {
  if (team.state.pendingTools.length > 0) return { kind: "awaitingTools" };
  return outcomeOf(name, team, turn, await continueRun(name, outer, team, turn));
}

function outcomeOf(name: string, team: NestedTeam, { signal }: Turn, result: TaskResult): NestedRunOutcome {
  if (signal.aborted) return { kind: "interrupted" };
  const { stopReason, status } = result;
  if (status.code === "error") throw failureOf(result);
  if (stopReason === StopReason.toolInterrupt) return { kind: "awaitingTools" };
  if (stopReason === StopReason.userInputRequested) return awaitingUser(name, team);
  if (status.reason === BUDGET) return { kind: "paused", stopReason, status };
  // An interrupt of a participant inside, or one that let the current model request finish, stops the turn and keeps the
  // run.
  if (stopReason === StopReason.userInterrupt) return { kind: "interrupted" };
  return { kind: "done" };
}

/** Has a participant of the nested team answer a message of the user. @throws GavelError when its run fails. */
export async function answerWithin(name: string, team: NestedTeam, turn: Turn): Promise<TurnOutcome> {
  const result = await continueAnswer(team, turn);
  const outcome = outcomeOf(name, team, turn, result);
  if (outcome.kind !== "done") return outcome;
  const { stopReason, status } = result;
  const isAnswered = stopReason === StopReason.userMessageCompleted;
  return { kind: "answered", ...(isAnswered ? {} : { stop: { stopReason, status } }) };
}

function continueAnswer(team: NestedTeam, { signal, soft, earlier, userInput }: Turn): Promise<TaskResult> {
  const options = { signal, soft, earlier };
  if (userInput !== undefined) return team.run(userInput.task, { ...options, handoff: userInput.handoff });
  const { openTurns, pendingTools } = team.state;
  // Beside calls that wait, the turns that made them stay open.
  const isOpen = pendingTools.length === 0 && openTurns.some(({ awaits }) => awaits === undefined);
  return isOpen ? team.resume(options) : team.answer(options);
}

function continueRun(name: string, outer: string, team: NestedTeam, turn: Turn): Promise<TaskResult> {
  const { signal, soft, earlier, thread, userInput } = turn;
  const options = { signal, soft, earlier };
  if (userInput !== undefined) return team.run(userInput.task, { ...options, handoff: userInput.handoff });
  if (team.state.openTurns.some(({ awaits }) => awaits === undefined)) return team.resume(options);
  const fresh = unseenMessages(name, team, thread).map((message) => messageForNested(message, outer, team));
  return team.run(fresh.length > 0 ? fresh : undefined, options);
}

/** A message of the team `outer` as the nested team gets it. */
export function messageForNested(
  message: ChatMessage,
  outer: string,
  { state: { participants, kind } }: NestedTeam,
): ChatMessage {
  const orchestrators = kind === "magentic" ? ["orchestrator", "orchestrator_"] : [];
  const isTaken = (name: string): boolean =>
    participants.some((participant) => participant.name === name) || orchestrators.includes(name);
  return outerMessage(message, outer, isTaken);
}

/** The messages of the outer team since the nested team's last answer that were not sent to it yet. */
function unseenMessages(name: string, team: NestedTeam, thread: readonly ChatMessage[]): readonly ChatMessage[] {
  const since = thread.slice(thread.findLastIndex(({ source }) => source === name) + 1);
  return since.filter(({ id }) => team.messages.findLast((known) => known.id === id) === undefined);
}

/**
 * True when the nested team's run has ended and there are no new messages for it: it may have been interrupted before it
 * gave its answer.
 */
export function hasEnded(name: string, team: NestedTeam, { thread }: Turn): boolean {
  const { status, lastStop } = team.state;
  // A run that failed, or was closed while it waited, has no stop reason.
  return status === "idle" && typeof lastStop === "string" && unseenMessages(name, team, thread).length === 0;
}

function awaitingUser(name: string, team: NestedTeam): TurnOutcome & { kind: "awaitingUser" } {
  const { participant = "user", path = [] } = team.state.awaitingUser ?? {};
  return { kind: "awaitingUser", participant, through: [name, ...path] };
}

function failureOf({ status }: TaskResult): GavelError {
  const { reason = "InternalError", message = "The nested team failed." } = status;
  const code: ErrorCode = Object.hasOwn(ERROR_CODES, reason) ? (reason as ErrorCode) : "InternalError";
  return new GavelError(message, { code });
}
