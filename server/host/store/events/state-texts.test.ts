import assert from "node:assert/strict";
import { it } from "node:test";
import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import type { DurableEvent } from "../../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../../shared/contract/message.ts";
import type { SavedState } from "../../../../shared/contract/saved-state.ts";
import { reduceTeam } from "../../../../shared/state/reducer.ts";
import { initialTeamState } from "../../../../shared/state/team-state.ts";
import { Store } from "../store.ts";

const at = "2026-01-01T00:00:00.000Z";
const definition: TeamDefinition = {
  name: "Talk",
  kind: "roundRobin",
  participants: [
    { name: "ann" },
    { name: "bob" },
    { name: "within", kind: "team", team: { name: "Inner", kind: "roundRobin", participants: [{ name: "cid" }] } },
  ],
};

/** Of texts that a thread holds many of, some of, one of, and none beside another. */
const TEXTS = [200_000, 3_000_000, 9_000_000, 17_000_000, 33_000_000].map((length, nth) =>
  `  \nText ${nth}.\n`.padEnd(length, "word "),
);

/** Numbers below `end`, the same for the same seed. */
function numbersFrom(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % end;
  };
}

/** Events of a thread in which everything happens that changes what it ends with. */
function threadEvents(below: (end: number) => number): DurableEvent[] {
  const events: DurableEvent[] = [];
  const message = (id: number, source: string, isPartial: boolean): ChatMessage => ({
    id: `m${id}`,
    type: "TextMessage",
    source,
    content: below(4) === 0 ? "Short." : (TEXTS[below(TEXTS.length)] ?? ""),
    createdAt: at,
    ...(isPartial ? { partial: true } : {}),
    ...(below(5) === 0 ? { metadata: { content: TEXTS[2] } } : {}),
  });
  const transcript = (source: string): SavedState["transcript"] =>
    Array.from({ length: below(5) }, (_, nth) => ({ kind: "message", message: message(1_000 + nth, source, false) }));
  const saved = (kind: "roundRobin", names: string[], source: string): SavedState => ({
    schemaVersion: 2,
    team: { name: "Talk", kind, participants: names },
    transcript: [
      ...transcript(source),
      { kind: "result", ref: "r", output: TEXTS[1], isError: false },
      ...transcript("bob"),
    ],
    pendingTools: [],
    queued: [{ id: "q", to: "ann", messages: [TEXTS[0] ?? ""], delivery: "queue" }],
    openTurns: [],
    lastSpeaker: null,
    turn: 0,
    usage: { prompt: 0, completion: 0, total: 0 },
    interrupted: false,
    conditionMessages: 0,
  });
  let last: ChatMessage | undefined;
  for (let seq = 1; seq <= 14; seq++) {
    const kind = below(14);
    if (kind === 0) events.push({ seq, at, type: "team/reset" });
    else if (kind === 1) {
      const inner = { within: saved("roundRobin", ["cid"], "cid") };
      events.push({ seq, at, type: "state/loaded", state: { ...saved("roundRobin", ["ann", "bob"], "ann"), inner } });
    } else if (kind <= 4 && last !== undefined) {
      const messageId = last.id;
      if (below(2) === 0) events.push({ seq, at, type: "message/dropped", messageId, fromEnd: 1, by: "user" });
      else events.push({ seq, at, type: "message/edited", messageId, content: TEXTS[below(4)] ?? "", by: "user" });
      last = undefined;
    } else if (kind === 5) {
      events.push({
        seq,
        at,
        type: "tool/executed",
        participant: "ann",
        ref: "r",
        name: "look",
        output: TEXTS[1],
        isError: false,
      });
    } else if (kind <= 8) {
      events.push({ seq, at, path: ["within"], type: "message/added", message: message(seq, "cid", false) });
    } else {
      last = message(seq, below(4) === 0 ? "bob" : "ann", true);
      events.push({ seq, at, type: "message/added", message: last });
    }
  }
  return events;
}

/** Stores a team with these events, and compares its state with their fold. */
async function assertLoaded(events: readonly DurableEvent[]): Promise<void> {
  using store = new Store();
  await store.ready();
  await store.teams.create("t", definition, undefined, at);
  const record = await store.teams.get("t");
  assert.ok(record);
  const journal = store.journal(record);
  for (const event of events) journal.append(event);
  await store.settled();
  const whole = events.reduce(reduceTeam, initialTeamState("t", definition, undefined));
  const { state } = await store.load(record);
  // A text of millions of characters is no help in what a failure prints.
  const shown = (_: string, value: unknown): unknown =>
    typeof value === "string" && value.length > 1_000 ? `${value.length}: ${value.slice(0, 20)}` : value;
  assert.deepEqual(JSON.parse(JSON.stringify(state, shown)), JSON.parse(JSON.stringify(whole, shown)));
}

for (let seed = 1; seed <= 8; seed++) {
  it(`the state of a team without the texts that it is not made of is the fold of all of its events (seed ${seed})`, () =>
    assertLoaded(threadEvents(numbersFrom(seed))));
}

it("a message that was edited or dropped leaves room for those before it", async () => {
  const said = (seq: number, source: string, text: number): DurableEvent => ({
    seq,
    at,
    type: "message/added",
    message: { id: `m${seq}`, type: "TextMessage", source, content: TEXTS[text] ?? "", createdAt: at, partial: true },
  });
  const before = [said(1, "ann", 2), said(2, "bob", 1), said(3, "ann", 3)];
  const change = { seq: 4, at, messageId: "m3", by: "user" };
  await assertLoaded([...before, { ...change, type: "message/edited", content: "Short." }, said(5, "bob", 3)]);
  await assertLoaded([...before, { ...change, type: "message/dropped", fromEnd: 1 }, said(5, "bob", 3)]);
});

it("why a run has ended is kept, however long", async () => {
  const text = "word ".repeat(30_000);
  const usage = { prompt: 0, completion: 0, total: 0 };
  await assertLoaded([
    { seq: 1, at, type: "run/started", runId: "r", cause: "run" },
    {
      seq: 2,
      at,
      type: "run/ended",
      runId: "r",
      stopReason: `Text '${text}' mentioned`,
      status: { code: "success", message: text },
      usage,
    },
    { seq: 3, at, path: ["within"], type: "run/started", runId: "n", cause: "run" },
    {
      seq: 4,
      at,
      path: ["within"],
      type: "run/ended",
      runId: "n",
      stopReason: text,
      status: { code: "success" },
      usage,
    },
  ]);
});
