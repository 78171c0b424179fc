import type { TeamEvent } from "../../../shared/contract/event.ts";
import { BUDGET, StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { PendingTool } from "../../../shared/contract/team.ts";
import { eventWithin } from "../../../shared/state/reducer.ts";
import { changeSaid } from "./edit-message.ts";
import { beginInterrupt, completeInterrupt } from "./fold-interrupt.ts";
import { addMessage, addressLast, addThought, closeSaid, itemOf, keyOf } from "./fold-message.ts";
import type { CallView, TeamItem } from "./items.ts";
import type { TimelineDraft } from "./timeline-draft.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;
type Handlers = { readonly [T in TeamEvent["type"]]: (draft: TimelineDraft, event: EventOf<T>) => void };

/** Writes one more event into the draft: one of a nested team into that one's part of it. */
export function foldEvent(draft: TimelineDraft, event: TeamEvent): void {
  if (event.type === "message/edited" || event.type === "message/dropped") changeCut(draft, event);
  else if (event.path !== undefined) foldInner(draft, event, event.path);
  else if (!(draft.nested && toldAround.has(event.type))) {
    const handle = handlers[event.type] as (draft: TimelineDraft, event: TeamEvent) => void;
    handle(draft, event);
  }
}

/** A nested team has an item of its own from the first thing on that can be seen of it. */
function foldInner(draft: TimelineDraft, event: TeamEvent, [name = "", ...rest]: readonly string[]): void {
  const inner = eventWithin(event, rest);
  const known = draft.teams.of(name, "ref" in event ? event.ref : undefined);
  if (known !== undefined) {
    foldEvent(known, inner);
    return;
  }
  const begun = draft.nestedDraft();
  foldEvent(begun, inner);
  if (begun.items.length > 0 && "seq" in event) draft.teams.add(name, `${keyOf(event)}-${name}`, event.at, begun);
}

/** Puts a pending call where its owner is, in a nested team too. */
export function awaitRuling(draft: TimelineDraft, pending: PendingTool, key: string, at: string): void {
  const { path, ...call } = pending;
  const [name, ...rest] = path ?? [];
  if (name === undefined) draft.awaitRuling(call, key, at);
  else {
    const team = draft.teams.of(name, pending.ref) ?? draft.teams.within(name, `${key}-${name}`, at);
    awaitRuling(team, { ...call, ...(rest.length === 0 ? {} : { path: rest }) }, key, at);
  }
}

/** What happens to a nested team because it happens to the team around it, where it is told. */
const toldAround: ReadonlySet<TeamEvent["type"]> = new Set([
  "run/started",
  "interrupt/requested",
  "interrupt/acknowledged",
  "interrupt/completed",
  "state/loaded",
  "error",
]);

const unseen = (): void => {};

const handlers: Handlers = {
  "run/started": (draft, event) => {
    if (event.cause === "run" && event.task === undefined) {
      draft.push({ kind: "note", key: keyOf(event), at: event.at, note: "continued" });
    }
  },
  "run/ended": endRun,

  "speaker/selected": (draft, { participants, directed }) => {
    draft.speakers = participants;
    draft.directedTo = null;
    const [to] = participants;
    if (directed && to !== undefined) addressLast(draft, to);
  },

  "message/started": (draft, { messageId, source, at }) => {
    draft.endRetry(source);
    draft.messages.set(messageId, source);
    draft.push({ kind: "message", key: messageId, at, source, type: "TextMessage", text: "", state: "streaming" });
  },
  "message/chunk": (draft, { messageId, delta }) => draft.appendText(messageId, delta),
  "message/added": (draft, { message }) => addMessage(draft, message),
  "message/edited": changeCut,
  "message/dropped": changeCut,

  "tool/requested": (draft, event) => {
    draft.endRetry(event.participant);
    closeSaid(draft, event);
    const calls = event.calls.map((call): CallView => ({ ...call, state: "requested" }));
    draft.addCalls(keyOf(event), event.at, event.participant, calls);
  },
  "tool/started": (draft, { ref, approved }) =>
    void draft.changeCall(ref, (call) => ({
      ...call,
      state: "running",
      ...(approved === undefined ? {} : { approved: approved.reason }),
    })),
  "tool/output": (draft, { ref, delta }) => draft.appendOutput(ref, delta),
  "tool/executed": endCall,
  "tool/abandoned": (draft, { ref }) => void draft.changeCall(ref, (call) => ({ ...call, state: "abandoned" })),
  "tool/interrupted": (draft, event) => draft.awaitRuling(event, keyOf(event), event.at),
  "tool/resolved": resolveCall,

  "manager/noted": unseen,
  "userInput/requested": unseen,
  "model/asked": unseen,
  "memory/added": unseen,

  handoff: (draft, event) => {
    const { last } = draft;
    if (last?.kind === "handoff" && last.from === event.from && (last.to ?? event.to) === event.to) {
      draft.change("handoff", last.key, (item) => ({ ...item, to: event.to }));
    } else draft.push({ kind: "handoff", key: keyOf(event), at: event.at, from: event.from, to: event.to });
  },

  "userMessage/queued": unseen,
  "userMessage/delivered": (draft, { to }) => {
    addressLast(draft, to);
    draft.directedTo = to;
  },
  "userMessage/answered": unseen,
  "userMessage/edited": unseen,
  "userMessage/reordered": unseen,
  "userMessage/withdrawn": unseen,
  "reasoning/interrupt": (draft, { id, at, from, to, payload }) =>
    draft.push({ kind: "reasoning", key: id, at, from, to, ...payload, answers: [] }),
  "reasoning/interrupt-ack": (draft, { from, correlation_id, payload: { status } }) => {
    for (const id of correlation_id) {
      draft.change("reasoning", id, (item) => ({
        ...item,
        answers: [...item.answers.filter((answer) => answer.from !== from), { from, status }],
      }));
    }
  },

  "interrupt/requested": beginInterrupt,
  "interrupt/acknowledged": (draft, { interruptId }) =>
    draft.change("interrupt", interruptId, (item) => ({ ...item, state: "acknowledged" })),
  "interrupt/completed": completeInterrupt,

  "reasoning/start": (draft, { from }) => {
    if (!draft.speakers.includes(from)) draft.speakers = [...draft.speakers, from];
  },
  "reasoning/thought": addThought,
  "reasoning/conclusion": unseen,

  "model/retry": addRetry,
  "team/reset": (draft, event) => {
    draft.endThread();
    if (!draft.nested) draft.push({ kind: "note", key: keyOf(event), at: event.at, note: "reset" });
  },
  "state/loaded": (draft, event) => {
    draft.endThread();
    draft.push({ kind: "note", key: keyOf(event), at: event.at, note: "loaded" });
    for (const entry of event.state.transcript) {
      if (entry.kind === "message") draft.push(itemOf(entry.message, { key: `${keyOf(event)}-${entry.message.id}` }));
    }
    for (const pending of event.state.pendingTools) {
      awaitRuling(draft, pending, `${keyOf(event)}-${pending.ref}`, event.at);
    }
  },
  error: (draft, { message, data, at, seq }) => {
    // The end of the run that it caused says no more than it does.
    if (draft.last?.kind === "runEnd" && draft.last.status.code === "error") draft.items.pop();
    draft.push({ kind: "error", key: `e${seq}`, at, message, data });
  },
};

/** What was cut short, written anew or taken out. */
function changeCut(draft: TimelineDraft, event: EventOf<"message/edited" | "message/dropped">): void {
  const { path = [], messageId } = event;
  const content = event.type === "message/edited" ? event.content : null;
  changeSaid(draft, path, messageId, (item) => (content === null ? null : { ...item, text: content, edited: true }));
}

function endCall(draft: TimelineDraft, event: EventOf<"tool/executed">): void {
  const { ref, name, participant, output, isError, interrupted } = event;
  if (!draft.calls.has(ref)) {
    draft.addCalls(keyOf(event), event.at, participant, [{ ref, name, input: undefined, state: "requested" }]);
  }
  draft.changeCall(ref, ({ live, interrupt, approval, ...call }) => ({
    ...call,
    output,
    state: call.ruling?.how === "deny" ? "denied" : interrupted ? "interrupted" : isError ? "failed" : "succeeded",
  }));
  draft.calls.delete(ref);
}

function resolveCall(draft: TimelineDraft, { ref, how, by, reason, input }: EventOf<"tool/resolved">): void {
  draft.changeCall(ref, (call) => ({
    ...call,
    ...(input === undefined ? {} : { input }),
    state: how === "deny" ? "denied" : "requested",
    ruling: {
      how,
      by,
      ...(reason === undefined ? {} : { reason }),
      ...(input === undefined ? {} : { edited: true as const }),
    },
  }));
}

function addRetry(draft: TimelineDraft, event: EventOf<"model/retry">): void {
  const { participant: source, attempt, waitMs, reason, status, at } = event;
  const told = { source, attempt, waitMs, reason, ...(status === undefined ? {} : { status }), over: false };
  const open = draft.retries.get(source);
  if (open === undefined) {
    draft.retries.set(source, keyOf(event));
    draft.push({ kind: "retry", key: keyOf(event), at, ...told });
  } else draft.change("retry", open, (item) => ({ ...item, ...told }));
}

/** Ending a run closes what was open in it, and says why it ended unless that is already to be seen. */
function endRun(draft: TimelineDraft, event: EventOf<"run/ended">): void {
  const { stopReason, status, usage, at } = event;
  draft.endRun(teamsAfter(event));
  const { last } = draft;
  const seen =
    stopReason === StopReason.toolInterrupt ||
    (stopReason === StopReason.userInterrupt && interruptSeen(draft)) ||
    (status.code === "error" && last?.kind === "error") ||
    // Of a nested team's run, only an end of its own making is not told around it.
    (draft.nested && (status.code !== "success" || stopReason === null));
  if (!seen) draft.push({ kind: "runEnd", key: keyOf(event), at, stopReason, status, usage });
}

/** What nested teams are after a run that ended so. */
function teamsAfter({ stopReason, status }: EventOf<"run/ended">): TeamItem["state"] {
  if (stopReason === StopReason.toolInterrupt) return "working";
  return stopReason === StopReason.userInputRequested || status.reason === BUDGET ? "paused" : "stopped";
}

/** Whether the interrupt that ended this run stands among the last items. */
function interruptSeen({ items }: TimelineDraft): boolean {
  const stop = items.findLastIndex((item) => item.kind === "runEnd" || item.kind === "note");
  return items.findLastIndex((item) => item.kind === "interrupt") > stop;
}
