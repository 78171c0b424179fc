import type { DurableDraft } from "../../../shared/contract/event.ts";
import type { OpenCall, PendingTool, StreamingMessage } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { INTERRUPTED_CALL_RESULT } from "../calls/tool-executor.ts";
import { handoffAfter } from "./handoffs.ts";

/**
 * The events that close what a run left open when it was cut short: streamed text becomes a partial message, a call that
 * never started gets a result that says so, and turns are concluded, except for those that wait for the user (with
 * `keepPending`).
 */
export function closingDrafts(
  state: TeamState,
  closeStarted: (call: OpenCall) => DurableDraft[],
  pending: "keepPending" | "dropPending",
): DurableDraft[] {
  const drafts: DurableDraft[] = [];
  for (const message of state.streaming) if (message.text !== "") drafts.push(partialOf(message));
  for (const call of state.calls) drafts.push(...(call.started ? closeStarted(call) : closeNotStarted(call, pending)));
  if (pending === "dropPending")
    drafts.push(...ownPending(state).map((call) => interruptedResult(call, INTERRUPTED_CALL_RESULT)));
  const waiting = new Set(pending === "keepPending" ? waitingParticipants(state) : []);
  for (const draft of drafts) if (draft.type === "tool/interrupted") waiting.add(draft.participant);
  for (const { id, participant, said, awaits } of state.openTurns) {
    const awaitsUser = awaits !== undefined && pending === "keepPending";
    if (said) drafts.push(...turnEnd(state, id, participant));
    else if (awaitsUser || (waiting.has(participant) && isFirstOf(state, id, participant))) continue;
    else drafts.push({ type: "reasoning/conclusion", from: participant, correlation_id: [id], interrupted: true });
  }
  return drafts;
}

/** The text of a message so far, as a partial message. */
function partialOf({ messageId, source, text, model }: StreamingMessage): DurableDraft {
  const createdAt = new Date().toISOString();
  const message = { id: messageId, type: "TextMessage", source, content: text, createdAt, partial: true } as const;
  return { type: "message/added", message: model === undefined ? message : { ...message, model } };
}

/** False for a turn in which someone answered a message within a nested team that waited already: the first turn waits. */
const isFirstOf = ({ openTurns }: TeamState, id: string, name: string): boolean =>
  openTurns.find(({ participant, awaits }) => participant === name && awaits === undefined)?.id === id;

/** The end of a turn whose message is in the thread already: the host died between the two events. */
function turnEnd(state: TeamState, id: string, participant: string): DurableDraft[] {
  const { thread, handoffTo, due = [] } = state;
  const message = thread.findLast(({ source }) => source === participant);
  const to = message && handoffAfter(state, message);
  return [
    ...(to === undefined || to === handoffTo ? [] : [{ type: "handoff" as const, from: participant, to }]),
    { type: "reasoning/conclusion", from: participant, correlation_id: [id] },
    ...due.flatMap((asked) =>
      asked.to === participant ? [{ type: "userMessage/answered" as const, id: asked.id, to: participant }] : [],
    ),
  ];
}

/** The pending calls of the team itself; nested teams close their own. */
const ownPending = ({ pendingTools }: TeamState): PendingTool[] =>
  pendingTools.filter(({ path }) => path === undefined);

/** The participants whose turns wait for a decision on a call, in this team or a nested one. */
const waitingParticipants = ({ pendingTools }: TeamState): string[] =>
  pendingTools.map(({ participant, path }) => path?.[0] ?? participant);

/** Closes a call that never started. A call that the user had restarted becomes pending again. */
function closeNotStarted(call: OpenCall, pending: "keepPending" | "dropPending"): DurableDraft[] {
  if (call.asked === undefined || pending === "dropPending") return [interruptedResult(call, INTERRUPTED_CALL_RESULT)];
  const { ref, name, participant, input, asked } = call;
  return [{ type: "tool/interrupted", ref, name, participant, input, ...asked }];
}

/** For a tool that has not stopped: its call stays open for a late result. */
export function abandonCall(call: OpenCall): DurableDraft[] {
  const { ref, name, participant } = call;
  return call.abandoned ? [] : [{ type: "tool/abandoned", ref, name, participant }];
}

/** For a tool that ran in a host that died: it may have had effects, so the user is asked for the outcome. */
export function askForOutcome(call: OpenCall): DurableDraft[] {
  const { ref, name, participant, input } = call;
  return [{ type: "tool/interrupted", ref, name, participant, input, interrupt: { outcome: "unknown" } }];
}

/** An error result for a call that was interrupted. */
export function interruptedResult(
  { ref, name, participant }: Pick<OpenCall, "ref" | "name" | "participant">,
  output: string,
): DurableDraft {
  return { type: "tool/executed", ref, name, participant, output, isError: true, interrupted: true };
}

/**
 * The events that close what one participant left open while others may still be speaking: with its turn, which it can
 * continue later, or for good and without the turn, which the caller concludes.
 */
export function closingDraftsOf(state: TeamState, participant: string, what: "turn" | "work"): DurableDraft[] {
  const own = {
    ...state,
    streaming: state.streaming.filter(({ source }) => source === participant),
    calls: state.calls.filter((call) => call.participant === participant),
    pendingTools: state.pendingTools.filter(({ participant: owner, path }) => (path?.[0] ?? owner) === participant),
    openTurns: what === "turn" ? state.openTurns.filter((turn) => turn.participant === participant) : [],
  };
  return closingDrafts(own, abandonCall, what === "turn" ? "keepPending" : "dropPending");
}
