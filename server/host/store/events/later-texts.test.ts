import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import type { ContextDefinition } from "../../../../shared/contract/definition.ts";
import type { DurableEvent } from "../../../../shared/contract/event.ts";
import { createTeam } from "../../../engine/index.ts";
import { ScriptedModel, say } from "../../../engine/testing/scripted-model.ts";
import { Store } from "../store.ts";
import { sampleTeam } from "../testing/sample-events.ts";
import { ScratchFolder } from "../testing/scratch-folder.ts";

const at = "2026-01-01T00:00:00.000Z";
const COUNT = 40;
const text = (nth: number): string => `${nth} ${"word ".repeat(20_000)}`;
const numbers = Array.from({ length: COUNT }, (_, before) => before + 1);

/** Long messages, and a long result of a tool. */
function events(): readonly DurableEvent[] {
  const said = numbers.map(
    (seq): DurableEvent => ({
      seq,
      at,
      type: "message/added",
      message: { id: `m${seq}`, type: "TextMessage", source: "bob", content: text(seq), createdAt: at },
    }),
  );
  const call = { participant: "ann", calls: [{ ref: "c", name: "look", input: {} }] };
  const result = { participant: "ann", ref: "c", name: "look", output: text(0), isError: false };
  return [
    ...said,
    { seq: COUNT + 1, at, type: "tool/requested", ...call },
    { seq: COUNT + 2, at, type: "tool/executed", ...result },
  ];
}

/**
 * Runs a turn of ann in a stored team, after the texts of the messages with the numbers that are `damaged`. Returns what its
 * model was shown, and what the user was told.
 */
async function firstTurn(folder: ScratchFolder, context: ContextDefinition, damaged: (seq: number) => boolean) {
  {
    using store = new Store(folder.path);
    await store.ready();
    await store.teams.create("t", sampleTeam, undefined, at);
    const record = await store.teams.get("t");
    assert.ok(record);
    const journal = store.journal(record);
    for (const event of events()) journal.append(event);
    await store.settled();
  }
  const told: string[] = [];
  using store = new Store(folder.path, { notify: (sentence) => told.push(sentence) });
  await store.ready();
  const record = await store.teams.get("t");
  assert.ok(record);
  const stored = await store.load(record);
  damage(folder, numbers.filter(damaged));
  const ann = new ScriptedModel(say("done"));
  const definition = { ...sampleTeam, participants: [{ name: "ann", context }], maxTurns: 1 };
  const team = createTeam({ teamId: "t", definition, stored, parts: { model: () => ann } });
  await team.prepare();
  const { status } = await team.run();
  assert.equal(status.code, "success");
  const shown = ann.lastItems.map((item) => String(item.role === "tool" ? item.output : item.content));
  return { shown: shown.filter((one) => one !== OMITTED), told, team };
}

const OMITTED = "[Part of the conversation is omitted here.]";

function damage(folder: ScratchFolder, seqs: readonly number[]): void {
  const database = new DatabaseSync(join(folder.path, "gavel.db"));
  const change = database.prepare(
    "UPDATE texts SET bytes = zeroblob(8) WHERE hash = (SELECT hash FROM textUses WHERE seq = ?)",
  );
  for (const seq of seqs) change.run(seq);
  database.close();
}

type Turn = readonly [context: ContextDefinition, used: readonly number[], shown: readonly number[]];
const turns: readonly Turn[] = [
  [{ kind: "buffered", size: 3 }, [COUNT], [COUNT, -1, 0]],
  // Whether something is left out is known when the next one is read.
  [{ kind: "headAndTail", head: 1, tail: 3 }, [1, 2, COUNT], [1, COUNT, -1, 0]],
  // Whether one more fits is known when it is read.
  [{ kind: "tokenLimited", size: 60_000 }, [COUNT - 1, COUNT], [COUNT, -1, 0]],
];

describe("the long texts of a stored team", () => {
  for (const [context, used, expected] of turns) {
    it(`are read by its first turn as far as its model is shown them: ${context.kind}`, async () => {
      using folder = new ScratchFolder();
      const { shown, told, team } = await firstTurn(folder, context, (seq) => !used.includes(seq));
      assert.deepEqual(
        shown.map((one) => one.slice(0, 9)),
        expected.map((nth) => (nth === -1 ? "" : text(nth).slice(0, 9))),
      );
      assert.deepEqual(told, [], "no other text was read");
      assert.equal(team.messages.length, COUNT + 1);
    });
  }

  it("that are damaged are named where they are used, and once to the user", async () => {
    using folder = new ScratchFolder();
    const { shown, told } = await firstTurn(folder, { kind: "buffered", size: 4 }, (seq) => seq >= COUNT - 1);
    assert.match(shown[0] ?? "", /contains a text of an event \(number 39\) that is damaged .*, so it is left out\.$/);
    assert.equal(told.length, 1);
  });

  it("are all in a saved state", async () => {
    using folder = new ScratchFolder();
    const { team } = await firstTurn(folder, { kind: "buffered", size: 1 }, () => false);
    await team.prepareSave();
    const { transcript } = team.save();
    const messages = transcript.flatMap((entry) => (entry.kind === "message" ? [entry.message.content] : []));
    assert.deepEqual(messages.slice(0, COUNT), numbers.map(text));
    assert.ok(transcript.some((entry) => entry.kind === "result" && entry.output === text(0)));
  });
});
