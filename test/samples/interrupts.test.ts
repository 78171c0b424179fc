import assert from "node:assert/strict";
import { test } from "node:test";
import { createTeam, type Team } from "../../server/engine/index.ts";
import { createModel } from "../../server/models/index.ts";
import { readMemoryFile, workspaceTools } from "../../server/tools/index.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import { PLAYS, type Play, playToEnd } from "./plays.ts";
import { team as definitionOf, workspace } from "./sample.ts";

const place = { roots: () => [workspace] };
const tools = workspaceTools(place);

/** The team of a sample, with every line said at once. */
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

interface Played {
  readonly stops: readonly string[];
  readonly events: readonly TeamEvent[];
  /** What each has said, in teams within teams too, with what was cut short joined to what it was gone on with. */
  readonly said: ReadonlyMap<string, readonly string[]>;
}

/** Plays a sample, and interrupts it from within its event of that number. */
async function played(play: Play, interruptIn?: number): Promise<Played> {
  const team = openSample(play.file);
  const events: TeamEvent[] = [];
  let interrupting: Promise<unknown> | undefined;
  team.onEvent((event) => {
    events.push(event);
    if (events.length === interruptIn) interrupting = team.interrupt();
  });
  const stops = await playToEnd(play, {
    run: (says) => team.run(says),
    deny: async () => {
      const deny = team.state.pendingTools.map(({ ref }) => ({ ref, reason: "Not now." }));
      return deny.length === 0 ? undefined : (await team.resolveTools({ deny })).result;
    },
    isHandedOver: () => team.state.handoffTo === "user",
  });
  await interrupting;
  return { stops, events, said: saidIn(events) };
}

function saidIn(events: readonly TeamEvent[]): Played["said"] {
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
      // The orchestrator is not shown an answer that it has begun, and gives it anew.
      if (message.partial) cut.set(who, text);
      else end(who, message.source === "orchestrator" ? textOf(message) : text);
    } else if (event.type === "tool/requested") {
      const who = [...path, event.participant].join("/");
      end(who, (cut.get(who) ?? "") + (event.content ?? ""));
    }
  }
  return said;
}

/**
 * Here an answer is there and what follows from it is not: an interrupt makes it void, the model is asked anew, and a script has the
 * answer just once.
 */
const VOIDED: ReadonlySet<TeamEvent["type"]> = new Set(["model/asked", "tool/requested"]);

/** A prime, so that the places are spread over all that happens. */
const STRIDE = 23;

for (const play of PLAYS) {
  test(`${play.file}, interrupted anywhere, goes on to the same end with every word said once`, async () => {
    const whole = await played(play);
    assert.deepEqual(whole.stops, play.stops);
    let partials = 0;
    for (let at = 1; at < whole.events.length; at += STRIDE) {
      const type = whole.events[at - 1]?.type;
      if (type !== undefined && VOIDED.has(type)) continue;
      const { stops, events, said } = await played(play, at);
      const where = `event ${at}, ${type}`;
      assert.equal(stops.at(-1), play.stops.at(-1), where);
      assert.deepEqual(said, whole.said, where);
      partials += events.filter((event) => event.type === "message/added" && event.message.partial).length;
    }
    assert.ok(partials > 0, "somebody is interrupted in mid-sentence");
  });
}
