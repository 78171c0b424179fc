import type { TeamEvent } from "../../../shared/contract/event.ts";
import { BUDGET, StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { PendingTool } from "../../../shared/contract/team.ts";
import { waitingResultOf } from "../../../shared/reviewed-result.ts";
import { eventWithin } from "../../../shared/state/reducer.ts";
import { mentionedText } from "../../../shared/text/finish-text.ts";
import { changeMessage } from "./edit-message.ts";
import { completeInterrupt, startInterrupt } from "./fold-interrupt.ts";
import { showLoaded } from "./fold-loaded.ts";
import { addMessage, addressLastMessages, closeStreamedText, keyOf } from "./fold-message.ts";
import { changeApprovers, changeRole, countApproval } from "./fold-people.ts";
import { dropThought, endThought, recordThought, streamThought } from "./fold-thought.ts";
import type { CallView, TeamItem } from "./items.ts";
import type { TimelineDraft } from "./timeline-draft.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;
type Handlers = { readonly [T in TeamEvent["type"]]: (draft: TimelineDraft, event: EventOf<T>) => void };

/** Applies an event to the draft; an event of a nested team to that team's draft. */
export function foldEvent(draft: TimelineDraft, event: TeamEvent): void {
  if (event.type === "message/edited" || event.type === "message/dropped") editMessage(draft, event);
  else if (event.path !== undefined) foldInner(draft, event, event.path);
  else if (!(draft.nested && shownByParent.has(event.type))) {
    const handle = handlers[event.type] as (draft: TimelineDraft, event: TeamEvent) => void;
    handle(draft, event);
  }
}

/** A nested team gets an item with its first event that shows something. */
function foldInner(draft: TimelineDraft, event: TeamEvent, [name = "", ...rest]: readonly string[]): void {
  const inner = eventWithin(event, rest);
  const known = draft.teams.get(name, "ref" in event ? event.ref : undefined);
  if (known !== undefined) {
    foldEvent(known, inner);
    return;
  }
  const added = draft.nestedDraft();
  foldEvent(added, inner);
  if (added.items.length > 0 && "seq" in event) draft.teams.add(name, `${keyOf(event)}-${name}`, event.at, added);
}

/** Adds a pending call to the team that it belongs to, which can be a nested one. */
export function addPendingCall(draft: TimelineDraft, pending: PendingTool, key: string, at: string): void {
  const { path, ...call } = pending;
  const [name, ...rest] = path ?? [];
  if (name === undefined) draft.addPendingCall(call, key, at);
  else {
    const team = draft.teams.get(name, pending.ref) ?? draft.teams.getOrAdd(name, `${key}-${name}`, at);
    addPendingCall(team, { ...call, ...(rest.length === 0 ? {} : { path: rest }) }, key, at);
  }
}

/** Events that a nested team has because its outer team has them: only the outer team shows them. */
const shownByParent: ReadonlySet<TeamEvent["type"]> = new Set([
  "run/started",
  "interrupt/requested",
  "interrupt/acknowledged",
  "interrupt/completed",
  "state/loaded",
  "error",
]);

const notShown = (): void => {};

const handlers: Handlers = {
  "run/started": (draft, event) => {
    draft.beginsRun = event.cause !== "tools";
    if (event.cause === "run" && event.task === undefined) {
      draft.push({ kind: "note", key: keyOf(event), at: event.at, note: "continued" });
    }
  },
  "run/ended": endRun,

  "speaker/selected": (draft, { participants, directed }) => {
    draft.speakers = participants;
    draft.directedTo = null;
    if (draft.beginsRun) draft.beginsRun = false;
    const [to] = participants;
    if (directed && to !== undefined) addressLastMessages(draft, to);
  },

  "message/started": (draft, { messageId, source, model, at }) => {
    draft.endRetry(source);
    endThought(draft, source);
    draft.messages.set(messageId, source);
    const begun = {
      kind: "message",
      key: messageId,
      at,
      source,
      type: "TextMessage",
      text: "",
      state: "streaming",
    } as const;
    draft.push(model === undefined ? begun : { ...begun, model });
  },
  "message/chunk": (draft, { messageId, delta }) => draft.appendText(messageId, delta),
  "message/added": (draft, { message }) => addMessage(draft, message),
  "message/edited": editMessage,
  "message/dropped": editMessage,

  "tool/requested": (draft, event) => {
    draft.endRetry(event.participant);
    endThought(draft, event.participant);
    closeStreamedText(draft, event);
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
  "tool/interrupted": (draft, event) => draft.addPendingCall(event, keyOf(event), event.at),
  "tool/resolved": resolveCall,

  "manager/noted": notShown,
  "userInput/requested": notShown,
  "model/asked": notShown,
  "memory/added": notShown,
  "plan/updated": notShown,
  "command/started": (draft, { id, ref }) => void draft.commands.set(id, ref),
  "command/ended": (draft, { id, command, end, ...event }) => {
    const call = draft.commands.get(id);
    draft.commands.delete(id);
    // The call itself shows how it ended.
    if (call !== undefined && draft.hasCall(call)) return;
    draft.push({ kind: "command", key: keyOf(event), at: event.at, id, command, end });
  },
  "context/summarizing": notShown,
  "context/summarized": (draft, { participant, summary, tokens, ...event }) =>
    draft.push({
      kind: "context",
      key: keyOf(event),
      at: event.at,
      participant,
      change: "summarized",
      summary,
      tokens,
    }),
  "context/restored": (draft, { participant, ...event }) =>
    draft.push({ kind: "context", key: keyOf(event), at: event.at, participant, change: "restored" }),
  "context/summaryRequested": (draft, { participant, ...event }) =>
    draft.push({ kind: "context", key: keyOf(event), at: event.at, participant, change: "requested" }),
  "team/renamed": notShown,
  "role/changed": changeRole,
  "approvers/changed": changeApprovers,
  "tool/approved": countApproval,
  "stop/requested": notShown,
  "stop/withdrawn": notShown,
  "model/chosen": (draft, { participant, model, ...event }) =>
    draft.push({
      kind: "model",
      key: keyOf(event),
      at: event.at,
      ...(participant === undefined ? {} : { participant }),
      model,
    }),

  "participants/changed": (draft, { by, changes, within, ...event }) => {
    // Without changes the team file has other participants, which their own rows tell.
    if (changes.length === 0) return;
    const nested = within === undefined ? {} : { within };
    draft.push({ kind: "participants", key: keyOf(event), at: event.at, by, changes, ...nested });
  },

  handoff: (draft, event) => {
    const { last } = draft;
    if (last?.kind === "handoff" && last.from === event.from && (last.to ?? event.to) === event.to) {
      draft.change("handoff", last.key, (item) => ({ ...item, to: event.to }));
    } else draft.push({ kind: "handoff", key: keyOf(event), at: event.at, from: event.from, to: event.to });
  },

  "userMessage/queued": notShown,
  "userMessage/delivered": (draft, { to }) => {
    if (to === undefined) return;
    addressLastMessages(draft, to);
    draft.directedTo = to;
  },
  "userMessage/answered": notShown,
  "userMessage/edited": notShown,
  "userMessage/reordered": notShown,
  "userMessage/withdrawn": notShown,
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

  "interrupt/requested": startInterrupt,
  "interrupt/acknowledged": (draft, { interruptId }) =>
    draft.change("interrupt", interruptId, (item) => ({ ...item, state: "acknowledged" })),
  "interrupt/completed": completeInterrupt,

  "reasoning/start": (draft, { from }) => {
    if (!draft.speakers.includes(from)) draft.speakers = [...draft.speakers, from];
  },
  "reasoning/thought": recordThought,
  "reasoning/chunk": (draft, event) => streamThought(draft, event),
  "reasoning/conclusion": (draft, { from }) => dropThought(draft, from),

  "model/retry": addRetry,
  "model/waiting": notShown,
  "model/fallback": (draft, { participant, from, to, reason, ...event }) => {
    draft.endRetry(participant);
    draft.push({ kind: "fallback", key: keyOf(event), at: event.at, participant, from, to, reason });
  },
  "model/waited": notShown,
  "team/reset": (draft, event) => {
    draft.endThread();
    if (!draft.nested) draft.push({ kind: "note", key: keyOf(event), at: event.at, note: "reset" });
  },
  "state/loaded": (draft, event) => {
    draft.endThread();
    showLoaded(draft, keyOf(event), event.at, event.state.transcript);
    for (const pending of event.state.pendingTools) {
      addPendingCall(draft, pending, `${keyOf(event)}-${pending.ref}`, event.at);
    }
  },
  error: (draft, { message, participant, data, at, seq }) => {
    // The error caused the end of the run, which would only repeat it.
    if (draft.last?.kind === "runEnd" && draft.last.status.code === "error") draft.items.pop();
    const whose = participant === undefined ? {} : { participant };
    draft.push({ kind: "error", key: `e${seq}`, at, message, ...whose, data });
  },
};

/** The user edited or removed a partial message. */
function editMessage(draft: TimelineDraft, event: EventOf<"message/edited" | "message/dropped">): void {
  const { path = [], messageId } = event;
  const content = event.type === "message/edited" ? event.content : null;
  changeMessage(draft, path, messageId, (item) => (content === null ? null : { ...item, text: content, edited: true }));
}

function endCall(draft: TimelineDraft, event: EventOf<"tool/executed">): void {
  const { ref, name, participant, output, isError, interrupted, exit, reviewed, unreviewed } = event;
  if (!draft.calls.has(ref)) {
    draft.addCalls(keyOf(event), event.at, participant, [{ ref, name, input: undefined, state: "requested" }]);
  }
  draft.changeCall(ref, ({ live, interrupt, approval, reason, review, ...call }) => ({
    ...call,
    output,
    ...(reviewed === undefined ? {} : { reviewed }),
    ...originalOf(waitingResultOf({ interrupt, review })?.output ?? unreviewed, reviewed),
    ...(exit === undefined ? {} : { exit }),
    state: call.decision?.how === "deny" ? "denied" : interrupted ? "interrupted" : isError ? "failed" : "succeeded",
  }));
  draft.calls.delete(ref);
}

/** What the model has not seen of a result that waited for review. */
function originalOf(original: unknown, reviewed: CallView["reviewed"]): Pick<CallView, "original"> {
  return original === undefined || reviewed === "sent" ? {} : { original };
}

function resolveCall(draft: TimelineDraft, { ref, how, by, reason, input }: EventOf<"tool/resolved">): void {
  draft.changeCall(ref, (call) => ({
    ...call,
    ...(input === undefined ? {} : { input }),
    // An answer and a denial come with the call's result; until then it is pending.
    state: how === "restart" ? "requested" : call.state,
    decision: {
      how,
      by,
      ...(reason === undefined ? {} : { reason }),
      ...(input === undefined ? {} : { edited: true as const }),
    },
  }));
}

function addRetry(draft: TimelineDraft, event: EventOf<"model/retry">): void {
  const { participant: source, attempt, waitMs, reason, status, at } = event;
  const shown = { source, attempt, waitMs, reason, ...(status === undefined ? {} : { status }), over: false };
  const open = draft.retries.get(source);
  if (open === undefined) {
    draft.retries.set(source, keyOf(event));
    draft.push({ kind: "retry", key: keyOf(event), at, ...shown });
  } else draft.change("retry", open, (item) => ({ ...item, ...shown }));
}

/** Closes what was open in the run, and shows why it ended unless another item already does. */
function endRun(draft: TimelineDraft, event: EventOf<"run/ended">): void {
  const { stopReason, status, usage, at } = event;
  draft.endRun(teamsAfter(event));
  const { last } = draft;
  const alreadyShown =
    stopReason === StopReason.toolInterrupt ||
    (stopReason === StopReason.userInterrupt && interruptShown(draft)) ||
    (status.code === "error" && last?.kind === "error") ||
    // The outer team shows every other end of a nested team's run.
    (draft.nested && (status.code !== "success" || stopReason === null));
  if (alreadyShown) return;
  const speaker = lastToSay(draft, mentionedText(stopReason));
  const by = speaker === undefined ? {} : { speaker };
  draft.push({ kind: "runEnd", key: keyOf(event), at, stopReason, ...by, status, usage });
}

/** The participant of the last message that has this text. */
function lastToSay({ items }: TimelineDraft, text: string): string | undefined {
  const found = items.findLast((item) => item.kind === "message" && item.text.includes(text));
  return found?.kind === "message" ? found.source : undefined;
}

/** The state of nested teams after a run that ended this way. */
function teamsAfter({ stopReason, status }: EventOf<"run/ended">): TeamItem["state"] {
  if (stopReason === StopReason.toolInterrupt) return "working";
  return stopReason === StopReason.userInputRequested || status.reason === BUDGET ? "paused" : "stopped";
}

/** Whether the interrupt that ended this run is among the last items. */
function interruptShown({ items }: TimelineDraft): boolean {
  const stop = items.findLastIndex((item) => item.kind === "runEnd" || item.kind === "note");
  return items.findLastIndex((item) => item.kind === "interrupt") > stop;
}
