import assert from "node:assert/strict";
import { test } from "node:test";
import { createTeam, type Team } from "../../server/engine/index.ts";
import { createModel } from "../../server/models/index.ts";
import { readMemoryFile, workspaceTools } from "../../server/tools/index.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import { teamOf as definitionOf, workspace } from "./sample.ts";
import { runToEnd, SAMPLE_RUNS, type SampleRun } from "./sample-runs.ts";

const place = { roots: () => [workspace] };
const tools = workspaceTools(place);

/** The team of a sample, without pauses. */
function openSample(file: string): Team {
  const definition = definitionOf(file);
  const { default: model } = definition.models ?? {};
  assert.ok(model?.provider === "practice");
  return createTeam({
    teamId: "t",
    definition: { ...definition, models: { default: { ...model, pace: 0 } } },
    parts: {
      model: (wanted) => createModel(wanted, { get: async () => null }),
      tool: (wanted) => (typeof wanted === "string" ? tools.get(wanted) : undefined),
      readMemory: (memory) => readMemoryFile(place, memory),
    },
  });
}

interface RunOutcome {
  readonly stops: readonly string[];
  readonly events: readonly TeamEvent[];
  /** The texts of each participant, nested teams included; a partial is joined with its continuation. */
  readonly said: ReadonlyMap<string, readonly string[]>;
}

/** Runs a sample and interrupts it during its event number `interruptIn`. */
async function runSample(sample: SampleRun, interruptIn?: number): Promise<RunOutcome> {
  const team = openSample(sample.file);
  const events: TeamEvent[] = [];
  let interrupting: Promise<unknown> | undefined;
  team.onEvent((event) => {
    events.push(event);
    if (events.length === interruptIn) interrupting = team.interrupt();
  });
  const stops = await runToEnd(sample, {
    run: (says) => team.run(says),
    denyPending: async () => {
      const deny = team.state.pendingTools.map(({ ref }) => ({ ref, reason: "Not now." }));
      return deny.length === 0 ? undefined : (await team.resolveTools({ deny })).result;
    },
    awaitsUser: () => team.state.handoffTo === "user",
  });
  await interrupting;
  return { stops, events, said: textsByParticipant(events) };
}

function textsByParticipant(events: readonly TeamEvent[]): RunOutcome["said"] {
  const said = new Map<string, string[]>();
  const cut = new Map<string, string>();
  const end = (who: string, text: string): void => {
    said.set(who, [...(said.get(who) ?? []), text]);
    cut.delete(who);
  };
  for (const event of events) {
    const { path = [] } = event;
    if (event.type === "message/added") {
      const { message } = event;
      const who = [...path, message.source].join("/");
      const text = (cut.get(who) ?? "") + textOf(message);
      // The orchestrator is not shown its own partial, and starts its answer over.
      if (message.partial) cut.set(who, text);
      else end(who, message.source === "orchestrator" ? textOf(message) : text);
    } else if (event.type === "tool/requested") {
      const who = [...path, event.participant].join("/");
      end(who, (cut.get(who) ?? "") + (event.content ?? ""));
    }
  }
  return said;
}

/** An interrupt here discards the model's answer. The model is asked again, and a script has the answer only once. */
const REPEATED_AFTER_INTERRUPT: ReadonlySet<TeamEvent["type"]> = new Set(["model/asked", "tool/requested"]);

/** A prime, so that the interrupted events are spread over all kinds. */
const STRIDE = 23;

for (const sample of SAMPLE_RUNS) {
  test(`${sample.file}, interrupted anywhere, continues to the same end with every text once`, async () => {
    const whole = await runSample(sample);
    assert.deepEqual(whole.stops, sample.stopReasons);
    let partials = 0;
    for (let at = 1; at < whole.events.length; at += STRIDE) {
      const type = whole.events[at - 1]?.type;
      if (type !== undefined && REPEATED_AFTER_INTERRUPT.has(type)) continue;
      const { stops, events, said } = await runSample(sample, at);
      const where = `event ${at}, ${type}`;
      assert.equal(stops.at(-1), sample.stopReasons.at(-1), where);
      assert.deepEqual(said, whole.said, where);
      partials += events.filter((event) => event.type === "message/added" && event.message.partial).length;
    }
    assert.ok(partials > 0, "a participant is interrupted in mid-sentence");
  });
}
