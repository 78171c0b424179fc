import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft, TeamEvent, TransientDraft } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import { initialTeamState, snapshotOf } from "../../../shared/state/team-state.ts";
import { foldTimeline, prependTimeline, timelineOf } from "./fold-timeline.ts";
import type { TimelineItem } from "./items.ts";
import { EMPTY_TIMELINE, firstSeq } from "./timeline.ts";

const at = "2026-01-01T10:42:00.000Z";
const usage = { prompt: 0, completion: 0, total: 0 };

/** Numbers durable events from 1 on; transient ones have no number. */
function events(...drafts: readonly (DurableDraft | TransientDraft)[]): TeamEvent[] {
  let seq = 0;
  return drafts.map((draft) => {
    if (draft.type === "message/chunk" || draft.type === "tool/output") return { ...draft, at };
    seq++;
    return { ...draft, seq, at } as TeamEvent;
  });
}

const message = (id: string, source: string, content: string, more: Partial<ChatMessage> = {}): DurableDraft => ({
  type: "message/added",
  message: { id, type: "TextMessage", source, content, createdAt: at, ...more },
});
const started = (messageId: string, source: string): DurableDraft => ({ type: "message/started", messageId, source });
const chunk = (messageId: string, source: string, delta: string): TransientDraft => ({
  type: "message/chunk",
  messageId,
  source,
  delta,
});
const requested = (participant: string, ...refs: readonly string[]): DurableDraft => ({
  type: "tool/requested",
  participant,
  calls: refs.map((ref) => ({ ref, name: "readFile", input: { path: ref } })),
});
const executed = (ref: string, output: unknown, isError = false): DurableDraft => ({
  type: "tool/executed",
  ref,
  name: "readFile",
  participant: "ann",
  output,
  isError,
});
const ended = (stopReason: string | null, code: "success" | "interrupted" | "error" = "success"): DurableDraft => ({
  type: "run/ended",
  stopReason,
  status: { code },
  usage,
});
const interruptRequested: DurableDraft = {
  type: "interrupt/requested",
  interruptId: "i1",
  severity: "pause",
  grace: "now",
  by: "user",
};
const receipt = (
  partials: ChatMessage[],
  wasRunning = true,
): Extract<DurableDraft, { type: "interrupt/completed" }> => ({
  type: "interrupt/completed",
  interruptId: "i1",
  wasRunning,
  severity: "pause",
  requestedAt: at,
  acknowledgedAt: at,
  quiescedAt: at,
  stopReason: wasRunning ? "USER_INTERRUPT" : null,
  partials,
  abandonedTools: [],
  status: "paused",
});
const partial: ChatMessage = {
  id: "m1",
  type: "TextMessage",
  source: "ann",
  content: "one two",
  createdAt: at,
  partial: true,
};

const fold = (...drafts: readonly (DurableDraft | TransientDraft)[]): readonly TimelineItem[] =>
  foldTimeline(EMPTY_TIMELINE, events(...drafts)).items;
const kinds = (items: readonly TimelineItem[]): string[] => items.map(({ kind }) => kind);
function only<K extends TimelineItem["kind"]>(
  items: readonly TimelineItem[],
  kind: K,
): Extract<TimelineItem, { kind: K }> {
  const found = items.filter((item): item is Extract<TimelineItem, { kind: K }> => item.kind === kind);
  assert.equal(found.length, 1, `one ${kind} among ${kinds(items).join(", ")}`);
  return found[0] as Extract<TimelineItem, { kind: K }>;
}

test("a message grows by its chunks where it began, and stays there when it is complete", () => {
  const parts = [started("m1", "ann"), started("m2", "bob"), chunk("m1", "ann", "Hel"), chunk("m1", "ann", "lo")];
  const [first] = fold(...parts);
  assert.deepEqual(first?.kind === "message" && [first.text, first.state], ["Hello", "streaming"]);
  const done = fold(...parts, message("m1", "ann", "Hello!"));
  assert.deepEqual(
    done.map((item) => item.kind === "message" && [item.key, item.text, item.state]),
    [
      ["m1", "Hello!", "complete"],
      ["m2", "", "streaming"],
    ],
  );
});

test("a chunk of an unknown message changes nothing", () => {
  const timeline = foldTimeline(EMPTY_TIMELINE, events(message("m1", "ann", "Hello")));
  const after = foldTimeline(timeline, events(chunk("m9", "ann", "x")));
  assert.deepEqual(after.items, timeline.items);
});

test("the fold is pure: its input timeline is unchanged", () => {
  const before = foldTimeline(EMPTY_TIMELINE, events(started("m1", "ann"), requested("bob", "c1")));
  const copy = structuredClone(before);
  foldTimeline(before, [...events(chunk("m1", "ann", "x")), { ...executed("c1", "y"), seq: 3, at } as TeamEvent]);
  assert.deepEqual(before, copy);
});

test("items that an event does not change stay the same objects, so that the page does not render them again", () => {
  const before = foldTimeline(EMPTY_TIMELINE, events(message("m1", "ann", "Hello"), started("m2", "bob")));
  const after = foldTimeline(before, events(chunk("m2", "bob", "x")));
  assert.equal(after.items[0], before.items[0]);
  assert.notEqual(after.items[1], before.items[1]);
});

test("an interrupted message is partial, and the interrupt names who was stopped and how many words were kept", () => {
  const items = fold(
    started("m1", "ann"),
    chunk("m1", "ann", "one two"),
    interruptRequested,
    message("m1", "ann", "one two", { partial: true }),
    ended("USER_INTERRUPT", "interrupted"),
    receipt([partial]),
  );
  assert.equal(only(items, "message").state, "partial");
  const interrupt = only(items, "interrupt");
  assert.deepEqual(
    [interrupt.speakers, interrupt.partials, interrupt.state],
    [["ann"], [{ source: "ann", words: 2 }], "completed"],
  );
  assert.deepEqual(kinds(items), ["message", "interrupt"], "the run's end says nothing more");
});

test("an interrupt of an idle team leaves no item", () => {
  assert.deepEqual(fold(interruptRequested, receipt([], false)), []);
});

test("the end of a run keeps streaming messages as partial, and removes empty ones", () => {
  const items = fold(started("m1", "ann"), started("m2", "bob"), chunk("m2", "bob", "half"), ended("CANCELLED"));
  const cut = only(items, "message");
  assert.deepEqual([cut.key, cut.state], ["m2", "partial"]);
});

test("the calls of one request are together, each with its own result", () => {
  const items = fold(
    requested("ann", "c1", "c2"),
    { type: "tool/started", ref: "c1" },
    { type: "tool/output", ref: "c1", delta: "live" },
    executed("c2", "bad", true),
  );
  assert.deepEqual(
    only(items, "tools").calls.map(({ ref, state, live, output }) => [ref, state, live, output]),
    [
      ["c1", "running", "live", undefined],
      ["c2", "failed", undefined, "bad"],
    ],
  );
});

test("text beside a model's calls completes its message; an empty message is removed", () => {
  const spoken = fold(started("m1", "ann"), chunk("m1", "ann", "Let me look"), {
    ...requested("ann", "c1"),
    content: "Let me look.",
  } as DurableDraft);
  assert.deepEqual(kinds(spoken), ["message", "tools"]);
  assert.deepEqual([only(spoken, "message").text, only(spoken, "message").state], ["Let me look.", "complete"]);
  assert.deepEqual(kinds(fold(started("m1", "ann"), requested("ann", "c1"))), ["tools"]);
});

test("a call that waits for the user is shown in place, with the decision and who made it", () => {
  const pending: DurableDraft = {
    type: "tool/interrupted",
    ref: "c1",
    name: "readFile",
    participant: "ann",
    input: { path: "c1" },
    approval: true,
  };
  const waiting = fold(requested("ann", "c1"), pending, ended("TOOL_INTERRUPT", "interrupted"));
  assert.deepEqual(kinds(waiting), ["tools"]);
  assert.equal(only(waiting, "tools").calls[0]?.state, "waiting");
  const denied = fold(
    requested("ann", "c1"),
    pending,
    { type: "tool/resolved", ref: "c1", how: "deny", by: "user", reason: "no" },
    executed("c1", "denied", true),
  );
  const [call] = only(denied, "tools").calls;
  assert.deepEqual([call?.state, call?.decision?.reason], ["denied", "no"]);
});

test("a user's directed message names its addressee, taken from the message or from the event after it", () => {
  const said = { type: "UserTextMessage" as const };
  const own = fold(message("m1", "user", "hi", { ...said, metadata: { to: "bob" } }));
  assert.equal(only(own, "message").to, "bob");
  const followed = fold(message("m1", "user", "hi", said), {
    type: "speaker/selected",
    participants: ["bob"],
    directed: "continue",
  });
  assert.equal(only(followed, "message").to, "bob");
});

test("a queued message is not in the timeline before it is delivered", () => {
  const queued: DurableDraft = { type: "userMessage/queued", id: "q1", to: "bob", messages: ["hi"], delivery: "queue" };
  assert.deepEqual(kinds(fold(queued, { type: "userMessage/reordered", ids: ["q1"] })), []);
  const said = message("q1", "user", "hi", {
    type: "UserTextMessage",
    metadata: { to: "bob", visibility: "target" },
  });
  const delivered = fold(queued, { type: "userMessage/delivered", id: "q1", to: "bob" }, said);
  const { to, onlyTarget } = only(delivered, "message");
  assert.deepEqual([kinds(delivered), to, onlyTarget], [["message"], "bob", true]);
});

test("a call shows why it ran without asking the user", () => {
  const approved = { rule: "r1", reason: 'The rule "readFile" allows this call.' };
  const items = fold(requested("ann", "c1"), { type: "tool/started", ref: "c1", approved });
  assert.equal(only(items, "tools").calls[0]?.approved, 'The rule "readFile" allows this call.');
});

test("the receipt names who was interrupted, also in nested teams, and the outcome of each tool", () => {
  const completed = receipt([]);
  const tool = (ref: string, name: string, mayHaveHadEffects: boolean) => ({
    ref,
    name,
    participant: "ann",
    mayHaveHadEffects,
  });
  const items = fold(interruptRequested, {
    ...completed,
    requestedAt: "2026-01-01T00:00:00.000Z",
    acknowledgedAt: "2026-01-01T00:00:00.003Z",
    quiescedAt: "2026-01-01T00:00:02.000Z",
    grace: "turn",
    stopped: {
      participants: [{ participant: "ann" }, { participant: "eve", path: ["research"] }],
      tools: [tool("c1", "readFile", false), tool("c2", "runCommand", true), tool("c3", "deploy", true)],
    },
    abandonedTools: [tool("c3", "deploy", true)],
    kept: { messages: 4, words: 0, queued: 1, pendingTools: 0 },
  });
  const { speakers, tools, took, kept, grace } = only(items, "interrupt");
  assert.deepEqual(speakers, ["ann", "research › eve"]);
  assert.deepEqual(
    tools.map(({ name, outcome }) => [name, outcome]),
    [
      ["readFile", "stopped"],
      ["runCommand", "effects"],
      ["deploy", "abandoned"],
    ],
  );
  assert.deepEqual([took, kept?.messages, grace], [{ acknowledged: 3, quiesced: 2000 }, 4, "turn"]);
});

test("an interrupt that is requested again is the same item, with the stricter grace", () => {
  const items = fold({ ...interruptRequested, grace: "turn" }, { ...interruptRequested, grace: "now" });
  assert.equal(only(items, "interrupt").grace, "now");
});

test("a request to interrupt reasoning is one item with the latest answer of each participant", () => {
  const ack = (from: string, status: "stopping" | "completing_thought" | "ignored"): DurableDraft => ({
    type: "reasoning/interrupt-ack",
    id: `ack-${from}`,
    from,
    correlation_id: ["r1"],
    payload: { status },
  });
  const items = fold(
    {
      type: "reasoning/interrupt",
      id: "r1",
      from: "ann",
      to: ["bob", "eve"],
      correlation_id: ["turn"],
      payload: { reason: "other", message: "Too long." },
    },
    ack("bob", "completing_thought"),
    ack("eve", "ignored"),
    ack("bob", "stopping"),
  );
  const { from, message: why, answers } = only(items, "reasoning");
  assert.deepEqual([from, why], ["ann", "Too long."]);
  assert.deepEqual(answers, [
    { from: "eve", status: "ignored" },
    { from: "bob", status: "stopping" },
  ]);
});

test("a handoff and its message are one item, whichever comes first", () => {
  const event: DurableDraft = { type: "handoff", from: "ann", to: "bob" };
  const spoken = message("m1", "ann", "Over to bob.", { type: "HandoffMessage", metadata: { target: "bob" } });
  for (const items of [fold(event, spoken), fold(spoken, event)]) {
    const { to, text } = only(items, "handoff");
    assert.deepEqual([to, text], ["bob", "Over to bob."]);
  }
});

test("retries of one model request are one item, which ends when its participant speaks", () => {
  const retry = (attempt: number): DurableDraft => ({
    type: "model/retry",
    participant: "ann",
    attempt,
    waitMs: 2000,
    reason: "busy",
    status: 429,
  });
  const waiting = only(fold(retry(1), retry(2)), "retry");
  assert.deepEqual([waiting.attempt, waiting.over], [2, false]);
  assert.equal(only(fold(retry(1), started("m1", "ann")), "retry").over, true);
});

test("a thought is placed before the message that it led to, and shown once when both have the same text", () => {
  const thought: DurableDraft = { type: "reasoning/thought", from: "ann", correlation_id: ["t"], message: "Hm." };
  const open = [started("m1", "ann"), chunk("m1", "ann", "So"), thought];
  assert.deepEqual(kinds(fold(...open)), ["thought", "message"]);
  assert.deepEqual(kinds(fold(thought, message("m1", "ann", "Hm."))), ["message"]);
});

test("an error is shown once, whether the end of its run comes before or after it", () => {
  const error: DurableDraft = { type: "error", message: "no key", data: { code: "ModelError" } };
  assert.deepEqual(kinds(fold(error, ended(null, "error"))), ["error"]);
  assert.deepEqual(kinds(fold(ended(null, "error"), error)), ["error"]);
});

test("a reset closes pending calls, because their thread no longer exists", () => {
  const items = fold(requested("ann", "c1"), { type: "team/reset" });
  assert.equal(only(items, "tools").calls[0]?.state, "interrupted");
  assert.equal(only(items, "note").note, "reset");
});

const story = events(
  { type: "run/started", task: "go", cause: "run" },
  message("t", "user", "go"),
  { type: "speaker/selected", participants: ["ann"] },
  started("m1", "ann"),
  { ...requested("ann", "c1", "c2"), content: "Looking." } as DurableDraft,
  executed("c1", "one"),
  { type: "tool/interrupted", ref: "c2", name: "readFile", participant: "ann", input: {}, approval: true },
  ended("TOOL_INTERRUPT", "interrupted"),
  { type: "tool/resolved", ref: "c2", how: "restart", by: "user" },
  executed("c2", "two"),
  { type: "model/retry", participant: "ann", attempt: 1, waitMs: 1, reason: "busy" },
  started("m2", "ann"),
  message("m2", "ann", "Done.", { partial: true }),
  ended("USER_INTERRUPT", "interrupted"),
);

test("loading earlier events gives the same timeline as folding all events at once, wherever the page starts", () => {
  const whole = foldTimeline(EMPTY_TIMELINE, story);
  for (let cut = 0; cut <= story.length; cut++) {
    const later = foldTimeline(EMPTY_TIMELINE, story.slice(cut));
    assert.deepEqual(prependTimeline(later, story.slice(0, cut)), whole, `cut at ${cut}`);
  }
});

test("events that arrive twice are shown once", () => {
  const whole = foldTimeline(EMPTY_TIMELINE, story);
  assert.equal(foldTimeline(whole, story.slice(5)), whole);
  assert.equal(prependTimeline(whole, story.slice(0, 5)), whole);
  const later = foldTimeline(EMPTY_TIMELINE, story.slice(6));
  assert.deepEqual(prependTimeline(later, story.slice(0, 9)), whole);
});

test("streaming text is kept when earlier events are loaded", () => {
  const later = foldTimeline(EMPTY_TIMELINE, [
    { ...started("m9", "bob"), seq: 20, at } as TeamEvent,
    ...events(chunk("m9", "bob", "half")),
  ]);
  const item = prependTimeline(later, story).items.at(-1);
  assert.deepEqual(item?.kind === "message" && [item.text, item.state], ["half", "streaming"]);
});

test("opening a team shows what only its snapshot has", () => {
  const state = initialTeamState("t", { name: "T", kind: "roundRobin", participants: [{ name: "ann" }] });
  const snapshot = {
    ...snapshotOf(state),
    streaming: [{ messageId: "m9", source: "ann", text: "half" }],
    pendingTools: [{ ref: "old", name: "runCommand", participant: "ann", input: {}, approval: true as const }],
  };
  const opened = timelineOf(snapshot, story.slice(-2));
  assert.deepEqual(kinds(opened.items), ["message", "runEnd", "message", "tools"]);
  const back = prependTimeline(opened, story.slice(0, -2));
  assert.equal(firstSeq(back), 1);
  assert.ok(back.items.some((item) => item.kind === "tools" && item.calls.some(({ ref }) => ref === "old")));
});

test("the end of a run names who said the text that ended it, not who spoke last", () => {
  const said = [message("m1", "ann", "It is APPROVED now."), message("m2", "bob", "Thanks.")];
  const speaker = (stopReason: string): unknown => fold(...said, ended(stopReason)).at(-1);
  assert.partialDeepStrictEqual(speaker("Text 'APPROVED' mentioned"), { kind: "runEnd", speaker: "ann" });
  assert.partialDeepStrictEqual(speaker("Stop message received"), { kind: "runEnd", speaker: "bob" });
});

const loadedState = (...transcript: SavedState["transcript"]): DurableDraft => ({
  type: "state/loaded",
  state: {
    schemaVersion: 2,
    team: { name: "Talk", kind: "roundRobin", participants: ["ann"] },
    transcript,
    pendingTools: [],
    queued: [],
    openTurns: [],
    lastSpeaker: null,
    turn: 0,
    usage,
    interrupted: false,
    conditionMessages: 0,
  },
});
const entry = (id: string, source: string, content: string): SavedState["transcript"][number] => ({
  kind: "message",
  message: { id, type: "TextMessage", source, content, createdAt: at },
});
const texts = (items: readonly TimelineItem[]): string[] =>
  items.map((item) =>
    item.kind === "message" ? item.text : item.kind === "note" ? item.note : `${item.kind} ${keyWords(item)}`.trim(),
  );
const keyWords = (item: TimelineItem): string =>
  item.kind === "tools" ? item.calls.map(({ state, output }) => `${state} ${String(output)}`).join(", ") : "";

test("a checkpoint that is restored takes the rows after it away, and restoring what was there brings them back", () => {
  const calls: SavedState["transcript"][number] = {
    kind: "calls",
    participant: "ann",
    calls: [{ ref: "c1", name: "readFile", input: {} }],
  };
  const result: SavedState["transcript"][number] = { kind: "result", ref: "c1", output: "one", isError: false };
  const thread = [message("1", "user", "go"), message("2", "ann", "gone"), ended(null)] as const;
  const second = [
    message("3", "user", "again"),
    requested("ann", "c1"),
    executed("c1", "one"),
    message("4", "ann", "done"),
  ];
  const back = loadedState(entry("1", "user", "go"), entry("2", "ann", "gone"));
  assert.deepEqual(texts(fold(...thread, ...second, back)), ["go", "gone", "runEnd", "restored"]);
  const all = [entry("1", "user", "go"), entry("2", "ann", "gone"), entry("3", "user", "again"), calls, result];
  const redone = fold(...thread, ...second, back, loadedState(...all, entry("4", "ann", "done")));
  assert.deepEqual(texts(redone), ["go", "gone", "runEnd", "again", "tools succeeded one", "done"]);
  const again = fold(...thread, ...second, back, loadedState(...all, entry("4", "ann", "done")), back);
  assert.deepEqual(texts(again), ["go", "gone", "runEnd", "restored"]);
  assert.deepEqual(texts(fold(...thread, loadedState())), ["restored"]);
});

test("messages that came within a run are marked, as there is no checkpoint before them, also when they are loaded again", () => {
  const run: DurableDraft = { type: "run/started", task: "go", cause: "run" };
  const speaks: DurableDraft = { type: "speaker/selected", participants: ["ann"] };
  const steered = message("3", "user", "faster", { type: "UserTextMessage" });
  const thread = [run, message("1", "user", "go"), speaks, message("2", "ann", "ok"), steered, ended(null)] as const;
  const marked = (items: readonly TimelineItem[]) =>
    items.flatMap((item) => (item.kind === "message" && item.withinRun ? item.text : []));
  assert.deepEqual(marked(fold(...thread)), ["faster"]);
  assert.deepEqual(marked(fold(...thread.slice(1))), [], "where it is unknown, nothing is marked");
  const all = [entry("1", "user", "go"), entry("2", "ann", "ok"), entry("3", "user", "faster")];
  assert.deepEqual(marked(fold(...thread, loadedState(entry("1", "user", "go")), loadedState(...all))), ["faster"]);
  const answered: DurableDraft = { type: "run/started", cause: "tools" };
  assert.deepEqual(marked(fold(answered, message("5", "user", "faster"), ended(null))), ["faster"]);
  assert.deepEqual(marked(fold(message("1", "user", "go"), loadedState(entry("9", "user", "other")))), ["other"]);
  const first = fold(...thread, loadedState(), loadedState(...all));
  assert.ok(!marked(first).includes("go"), "restored from an empty thread");
});

test("another thread that is loaded is shown below, with its tool calls", () => {
  const calls: SavedState["transcript"][number] = {
    kind: "calls",
    participant: "ann",
    calls: [{ ref: "c9", name: "readFile", input: {} }],
  };
  const other = [
    entry("9", "user", "other"),
    calls,
    { kind: "result", ref: "c9", output: "x", isError: true } as const,
  ];
  assert.deepEqual(texts(fold(message("1", "user", "go"), loadedState(...other))), [
    "go",
    "loaded",
    "other",
    "tools failed x",
  ]);
});
