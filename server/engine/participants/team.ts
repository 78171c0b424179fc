import { ERROR_CODES, type ErrorCode, GavelError } from "../../../shared/contract/errors.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { BUDGET, StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { TaskResult } from "../../../shared/contract/team.ts";
import { continuedText } from "../context/continued-text.ts";
import type { Reply } from "../context/reply.ts";
import { madeVisible } from "../context/user-message.ts";
import type { Team } from "../team/team.ts";
import type { Participant, Turn, TurnOutcome } from "./participant.ts";

/** How a nested team's run came out for the turn that it is a part of: at its end, or with why the turn stops here. */
export type InnerRun = { readonly kind: "done" } | Exclude<TurnOutcome, { kind: "reply" }>;

/**
 * A team as a participant of a team: in its turn it works on what was said since its last one, on its own thread, which it
 * keeps. What it says within is seen by the path of its events; its last message is its answer to the team around it (`metadata.answer` is that message's id).
 */
export class TeamParticipant implements Participant {
  readonly name: string;
  readonly #team: Team;

  constructor(name: string, team: Team) {
    this.name = name;
    this.#team = team;
  }

  async takeTurn(turn: Turn): Promise<TurnOutcome> {
    const given = turn.thread.findLast(({ source }) => source === this.name)?.metadata?.["answer"];
    const said = lastWord(this.#team, turn);
    const isGiven = said === undefined || said.id === given;
    if (isGiven || !hasEnded(this.name, this.#team, turn)) {
      const run = await runInner(this.name, this.#team, turn);
      if (run.kind !== "done") return run;
    }
    return { kind: "reply", reply: answerOf(this.#team, lastWord(this.#team, turn)) };
  }
}

/** Lets the nested team work, from where it stands, until its run ends. @throws GavelError when its run fails. */
export async function runInner(name: string, team: Team, turn: Turn): Promise<InnerRun> {
  const { signal } = turn;
  if (team.state.pendingTools.length > 0) return { kind: "awaitingTools" };
  const result = await goOn(name, team, turn);
  if (signal.aborted) return { kind: "interrupted" };
  const { stopReason, status } = result;
  if (status.code === "error") throw failureOf(result);
  if (stopReason === StopReason.toolInterrupt) return { kind: "awaitingTools" };
  if (stopReason === StopReason.userInputRequested) return waiting(name, team);
  if (status.reason === BUDGET) return { kind: "paused", stopReason, status };
  // An interrupt of somebody within, or one that lets the model step in progress end, stops the turn and keeps the run.
  if (stopReason === StopReason.userInterrupt) return { kind: "interrupted" };
  return { kind: "done" };
}

function goOn(name: string, team: Team, { signal, soft, thread, userSays }: Turn): Promise<TaskResult> {
  if (userSays !== undefined) return team.run(userSays, { signal, soft });
  if (team.state.openTurns.some(({ awaits }) => awaits === undefined)) return team.resume({ signal, soft });
  const fresh = unheard(name, team, thread).map(madeVisible);
  return team.run(fresh.length > 0 ? fresh : undefined, { signal, soft });
}

/** What was said in the team around since the nested one's last answer, and has not been put to it yet. */
function unheard(name: string, team: Team, thread: readonly ChatMessage[]): readonly ChatMessage[] {
  const since = thread.slice(thread.findLastIndex(({ source }) => source === name) + 1);
  return since.filter(({ id }) => team.messages.findLast((heard) => heard.id === id) === undefined);
}

/** True when the nested team has come to an end, and nothing was said to it since: an interrupt may have come before its answer. */
export function hasEnded(name: string, team: Team, { thread }: Turn): boolean {
  const { status, lastStop } = team.state;
  return status === "idle" && lastStop !== undefined && unheard(name, team, thread).length === 0;
}

function waiting(name: string, team: Team): TurnOutcome & { kind: "awaitingUser" } {
  const { participant = "user", path = [] } = team.state.awaitingUser ?? {};
  return { kind: "awaitingUser", participant, through: [name, ...path] };
}

/** What was said last within the nested team, and was not put to it by the one around it. */
function lastWord(team: Team, { thread }: Turn): ChatMessage | undefined {
  return team.messages.findLast(({ id }) => thread.findLast((outer) => outer.id === id) === undefined);
}

/** The last word as the answer to the team around; what it cost is counted where it was said. */
function answerOf({ messages }: Team, said: ChatMessage | undefined): Reply {
  if (said === undefined) return { type: "TextMessage", content: "" };
  const { id, type, content } = said;
  const metadata = { answer: id };
  if (type === "StructuredMessage" || type === "MultiModalMessage") return { type, content, metadata };
  return { type: "TextMessage", content: continuedText(messages, said), metadata };
}

function failureOf({ status }: TaskResult): GavelError {
  const { reason = "InternalError", message = "The nested team failed." } = status;
  const code: ErrorCode = reason in ERROR_CODES ? (reason as ErrorCode) : "InternalError";
  return new GavelError(message, { code });
}
