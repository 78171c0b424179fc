import type { TeamEvent } from "./contract/event.ts";
import type { ChatMessage } from "./contract/message.ts";
import { textOf } from "./message-text.ts";
import { StopReason } from "./stop-reasons.ts";
import type { TimelineDraft } from "./timeline-draft.ts";
import type { CallView, HandoffItem, InterruptItem, MessageItem } from "./timeline-items.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;
type Handlers = { readonly [T in TeamEvent["type"]]: (draft: TimelineDraft, event: EventOf<T>) => void };

/** Writes one more event into the draft. */
export function foldEvent(draft: TimelineDraft, event: TeamEvent): void {
  const handle = handlers[event.type] as (draft: TimelineDraft, event: TeamEvent) => void;
  handle(draft, event);
}

const keyOf = ({ seq }: { readonly seq: number }): string => `e${seq}`;
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

  "tool/requested": (draft, event) => {
    draft.endRetry(event.participant);
    closeSaid(draft, event);
    const calls = event.calls.map((call): CallView => ({ ...call, state: "requested" }));
    draft.addCalls(keyOf(event), event.at, event.participant, calls);
  },
  "tool/started": (draft, { ref }) => void draft.changeCall(ref, (call) => ({ ...call, state: "running" })),
  "tool/output": (draft, { ref, delta }) => draft.appendOutput(ref, delta),
  "tool/executed": endCall,
  "tool/abandoned": (draft, { ref }) => void draft.changeCall(ref, (call) => ({ ...call, state: "abandoned" })),
  "tool/interrupted": (draft, event) => draft.awaitRuling(event, keyOf(event), event.at),
  "tool/resolved": resolveCall,

  handoff: (draft, event) => {
    const { last } = draft;
    if (last?.kind === "handoff" && last.from === event.from && (last.to ?? event.to) === event.to) {
      draft.change("handoff", last.key, (item) => ({ ...item, to: event.to }));
    } else draft.push({ kind: "handoff", key: keyOf(event), at: event.at, from: event.from, to: event.to });
  },

  "userMessage/queued": (draft, { id, at, to, messages, delivery }) =>
    draft.push({ kind: "queued", key: id, at, to, text: messages.join("\n\n"), delivery }),
  "userMessage/delivered": (draft, { id, to }) => {
    draft.change("queued", id, () => null);
    addressLast(draft, to);
    draft.directedTo = to;
  },
  "userMessage/answered": unseen,

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
    draft.push({ kind: "note", key: keyOf(event), at: event.at, note: "reset" });
  },
  "state/loaded": (draft, event) => {
    draft.endThread();
    draft.push({ kind: "note", key: keyOf(event), at: event.at, note: "loaded" });
    for (const entry of event.state.transcript) {
      if (entry.kind === "message") draft.push(itemOf(entry.message, { key: `${keyOf(event)}-${entry.message.id}` }));
    }
    for (const pending of event.state.pendingTools) {
      draft.awaitRuling(pending, `${keyOf(event)}-${pending.ref}`, event.at);
    }
  },
  error: (draft, { message, data, at, seq }) => {
    // The end of the run that it caused says no more than it does.
    if (draft.last?.kind === "runEnd" && draft.last.status.code === "error") draft.items.pop();
    draft.push({ kind: "error", key: `e${seq}`, at, message, data });
  },
};

function itemOf(message: ChatMessage, over: Partial<MessageItem> = {}): MessageItem {
  const to = message.metadata?.["to"];
  return {
    kind: "message",
    key: message.id,
    at: message.createdAt,
    source: message.source,
    type: message.type,
    text: textOf(message),
    state: message.partial === true ? "partial" : "complete",
    ...(typeof to === "string" ? { to } : {}),
    ...over,
  };
}

function addMessage(draft: TimelineDraft, message: ChatMessage): void {
  draft.endRetry(message.source);
  if (message.type === "HandoffMessage") {
    addHandoffMessage(draft, message);
    return;
  }
  const directed =
    message.type === "UserTextMessage" && draft.directedTo !== null ? { to: draft.directedTo } : undefined;
  const item = itemOf(message, directed);
  const { last } = draft;
  if (last?.kind === "thought" && last.source === item.source && last.text === item.text) draft.items.pop();
  if (!draft.closeMessage(message.id, ({ at }) => ({ ...item, at }))) draft.push(item);
}

/** A handoff is an event and a message: they are one thing to see, whichever comes first. */
function addHandoffMessage(draft: TimelineDraft, message: ChatMessage): void {
  draft.closeMessage(message.id, () => null);
  const { last } = draft;
  const told = targetOf(message);
  if (last?.kind === "handoff" && last.from === message.source && last.text === undefined) {
    draft.change("handoff", last.key, (item) => ({ ...told, ...item, text: told.text }));
  } else draft.push({ kind: "handoff", key: message.id, at: message.createdAt, from: message.source, ...told });
}

function targetOf(message: ChatMessage): Pick<HandoffItem, "to"> & { readonly text: string } {
  const to = message.metadata?.["target"];
  return { text: textOf(message), ...(typeof to === "string" ? { to } : {}) };
}

/** Says of the user's messages at the end whom they are for. */
function addressLast(draft: TimelineDraft, to: string): void {
  for (let index = draft.items.length - 1; index >= 0; index--) {
    const item = draft.items[index];
    if (item?.kind === "queued") continue;
    if (item?.kind !== "message" || item.type !== "UserTextMessage" || item.to !== undefined) return;
    draft.items[index] = { ...item, to };
  }
}

/** What a model said beside its calls closes its streaming message; an empty one is taken out. */
function closeSaid(draft: TimelineDraft, event: EventOf<"tool/requested">): void {
  const { participant, content, at } = event;
  const said = (text: string): Pick<MessageItem, "text" | "state"> => ({ text, state: "complete" });
  let closed = false;
  for (const [id, source] of [...draft.messages]) {
    if (source !== participant) continue;
    closed = true;
    draft.closeMessage(id, (item) => {
      const text = content ?? item.text;
      return text.trim() === "" ? null : { ...item, ...said(text) };
    });
  }
  if (closed || content === undefined || content.trim() === "") return;
  const key = `${keyOf(event)}-said`;
  draft.push({ kind: "message", key, at, source: participant, type: "TextMessage", ...said(content) });
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

/** A thought stands before the message that it led to, which may have begun to stream already. */
function addThought(draft: TimelineDraft, event: EventOf<"reasoning/thought">): void {
  const { from: source, message, at } = event;
  if (message === undefined || message.trim() === "") return;
  const streaming = draft.items.at(-1);
  const open = streaming?.kind === "message" && streaming.source === source ? streaming : undefined;
  // A step's text can come as a thought too: it is shown once, as the message.
  if (open?.text === message) return;
  const index = open?.state === "streaming" ? draft.items.length - 1 : draft.items.length;
  const before = draft.items[index - 1];
  if (before?.kind === "thought" && before.source === source) {
    draft.items[index - 1] = { ...before, text: `${before.text}\n\n${message}` };
  } else draft.items.splice(index, 0, { kind: "thought", key: keyOf(event), at, source, text: message });
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

function beginInterrupt(draft: TimelineDraft, event: EventOf<"interrupt/requested">): void {
  const { interruptId, by, severity, message, scope, at } = event;
  if (draft.items.some((item) => item.kind === "interrupt" && item.key === interruptId)) return;
  const scoped = scope !== undefined && "participant" in scope ? [scope.participant] : undefined;
  const streaming = [...new Set(draft.messages.values())];
  draft.push({
    kind: "interrupt",
    key: interruptId,
    at,
    by,
    severity,
    state: "requested",
    speakers: scoped ?? (streaming.length > 0 ? streaming : draft.speakers),
    ...(message === undefined ? {} : { message }),
    keptWords: 0,
    abandoned: [],
  });
}

function completeInterrupt(draft: TimelineDraft, event: EventOf<"interrupt/completed">): void {
  const { interruptId, wasRunning, severity, partials, abandonedTools } = event;
  draft.change("interrupt", interruptId, (item): InterruptItem | null => {
    // An interrupt of a team at rest did nothing, and there is nothing to show.
    if (!wasRunning) return null;
    return {
      ...item,
      state: "completed",
      severity,
      speakers: partials.length > 0 ? [...new Set(partials.map(({ source }) => source))] : item.speakers,
      keptWords: partials.reduce((sum, partial) => sum + countWords(textOf(partial)), 0),
      abandoned: abandonedTools.map(({ name }) => name),
    };
  });
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

/** Ending a run closes what was open in it, and says why it ended unless that is already to be seen. */
function endRun(draft: TimelineDraft, event: EventOf<"run/ended">): void {
  const { stopReason, status, at } = event;
  draft.endRun();
  const { last } = draft;
  const seen =
    stopReason === StopReason.toolInterrupt ||
    (stopReason === StopReason.userInterrupt && interruptSeen(draft)) ||
    (status.code === "error" && last?.kind === "error");
  if (!seen) draft.push({ kind: "runEnd", key: keyOf(event), at, stopReason, status });
}

/** Whether the interrupt that ended this run stands among the last items. */
function interruptSeen({ items }: TimelineDraft): boolean {
  const stop = items.findLastIndex((item) => item.kind === "runEnd" || item.kind === "note");
  return items.findLastIndex((item) => item.kind === "interrupt") > stop;
}
