import type { Checkpoint } from "../../../shared/contract/checkpoint.ts";
import { invalidParams } from "../../../shared/contract/errors.ts";
import type { DurableEvent } from "../../../shared/contract/event.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import { reduceTeam, withSpending } from "../../../shared/state/reducer.ts";
import { initialTeamState, type TeamState } from "../../../shared/state/team-state.ts";
import { createTeam } from "../../engine/index.ts";
import type { TeamRecord } from "../store/records/team-records.ts";
import type { SessionOptions } from "./session-options.ts";

/** The longest beginning of a message in a list of checkpoints. */
const MAX_TEXT = 200;

/** The events that checkpoints are found by. */
const TYPES = ["run/started", "message/added", "speaker/selected", "state/loaded", "team/reset"];

/** What has become of messages that wait, and of calls that are pending, at a later event. */
const SETTLING: readonly DurableEvent["type"][] = [
  "userMessage/delivered",
  "userMessage/withdrawn",
  "tool/executed",
  "tool/resolved",
];

/**
 * The points that a team can go back to, the last first: before each message of the thread that began a run, and before it
 * last went back or got another state.
 */
export async function checkpointsOf(key: number, { store }: Pick<SessionOptions, "store">): Promise<Checkpoint[]> {
  let points: Checkpoint[] = [];
  /** Those before messages, also of threads that the team has gone back from: it may go forth to them again. */
  const known: Checkpoint[] = [];
  let started: number | undefined;
  for await (const events of store.events.parts(key, 0, undefined, "history")) {
    for (const event of events) {
      if (event.path !== undefined || !TYPES.includes(event.type)) continue;
      switch (event.type) {
        case "run/started":
          started = event.cause === "tools" ? undefined : event.seq - 1;
          break;
        case "message/added": {
          const { id, content } = event.message;
          if (started !== undefined) {
            const point = { seq: started, at: event.at, messageId: id, text: textOf({ content }).slice(0, MAX_TEXT) };
            points.push(point);
            known.push(point);
          }
          started = undefined;
          break;
        }
        case "state/loaded": {
          const kept = new Set(
            event.state.transcript.flatMap((entry) => (entry.kind === "message" ? entry.message.id : [])),
          );
          points = known.filter(({ messageId }) => messageId !== undefined && kept.has(messageId));
          points.push({ seq: event.seq - 1, at: event.at });
          started = undefined;
          break;
        }
        case "team/reset":
          points = [{ seq: event.seq - 1, at: event.at }];
          started = undefined;
          break;
        default:
          started = undefined;
      }
    }
  }
  return points.reverse();
}

/**
 * The state of a team right after an event, as plain JSON: the fold of its events up to that one. Messages that waited then
 * and have been delivered or withdrawn since do not wait in it, and what was spent since is in its usage.
 * @throws GavelError `InvalidParams` for an event that there is not, during a run, or before a call was decided that was
 * pending then: what has run never runs again.
 */
export async function stateAt(record: TeamRecord, seq: number, options: SessionOptions): Promise<SavedState> {
  const { key, teamId, uri } = record;
  const { events } = options.store;
  let state: TeamState = initialTeamState(teamId, record.definition, uri);
  for await (const part of events.parts(key, 0, seq)) for (const event of part) state = reduceTeam(state, event);
  if (state.lastSeq !== seq) throw refused("the team has no event with this number");
  if (state.run !== null) throw refused("a run was in progress then; give an event between runs");
  for await (const part of events.parts(key, seq)) for (const event of part) state = withSpending(state, event);
  const settled = await settledAfter(key, seq, options);
  if (state.pendingTools.some(({ ref }) => settled.has(ref)))
    throw refused("a tool call was waiting for you then, and has been decided since; choose another point");
  const history = async function* () {
    let lastSeq = 0;
    for await (const part of events.parts(key, 0, seq)) {
      lastSeq = part.at(-1)?.seq ?? lastSeq;
      yield { events: part, lastSeq };
    }
  };
  const stored = { state, history };
  const { definition } = record;
  const team = createTeam({ teamId, definition, uri, parts: options.parts(record), user: options.user, stored });
  await team.prepare();
  const saved = team.save();
  return { ...saved, queued: saved.queued.filter(({ id }) => !settled.has(id)) };
}

/** The refs of calls and ids of messages that were settled after an event. */
async function settledAfter(key: number, seq: number, { store }: SessionOptions): Promise<ReadonlySet<string>> {
  const settled = new Set<string>();
  for (let after = seq; ; ) {
    const page = await store.events.page(key, after, 1000, SETTLING);
    for (const event of page) {
      if (event.type === "tool/executed" || event.type === "tool/resolved") settled.add(event.ref);
      if (event.type === "userMessage/delivered") settled.add(event.id);
      if (event.type === "userMessage/withdrawn") settled.add(event.id);
    }
    const last = page.at(-1);
    if (last === undefined) return settled;
    after = last.seq;
  }
}

const refused = (message: string) => invalidParams("team/rewind", [{ path: "seq", message }]);
