import * as z from "zod";
import { Usage } from "../../../shared/contract/message.ts";
import { OpenCall, OpenTurn, TeamSnapshotShape } from "../../../shared/contract/team.ts";
import { REDUCER_VERSION } from "../../../shared/state/reducer.ts";
import { mapValues, type TeamState } from "../../../shared/state/team-state.ts";
import type { Database } from "./database.ts";
import { columnsOf, insertSummed, isIntact } from "./row-sums.ts";

const directed = z.enum(["continue", "pause"]);

// A state has what is in progress in fields of its own.
const { inProgress: _, ...fields } = TeamSnapshotShape;

/** A {@link TeamState} as it is stored. */
const StoredState: z.ZodType<TeamState> = z.lazy(() =>
  z.object({
    ...fields,
    run: z.object({ runId: z.string(), usage: Usage, threadStart: z.number().int() }).nullable(),
    selected: z.object({ participants: z.array(z.string()), directed: directed.exactOptional() }),
    openTurns: z.array(OpenTurn),
    calls: z.array(OpenCall),
    lastSpeaker: z.string().nullable(),
    unanswered: z.object({ participant: z.string(), directed }).exactOptional(),
    due: z.array(z.object({ id: z.string(), to: z.string() })).exactOptional(),
    handoffTo: z.string().exactOptional(),
    note: z.unknown().optional(),
    asked: z.record(z.string(), z.number().int()).exactOptional(),
    memories: z.record(z.string(), z.array(z.string())).exactOptional(),
    inner: z.record(z.string(), StoredState).exactOptional(),
    conditionMessages: z.number().int(),
  }),
);

/**
 * A team's state at some event, one per team, so that opening the team folds only later events. It is a cache: one that
 * is damaged, or that another version of the reducer made, is ignored, and all events are folded.
 */
export class Checkpoints {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  save(key: number, state: TeamState): void {
    const json = JSON.stringify(withoutOpenTexts(state));
    this.#database.run(insertSummed("checkpoints", "OR REPLACE"), key, state.lastSeq, REDUCER_VERSION, json);
  }

  get(key: number): TeamState | undefined {
    const columns = columnsOf("checkpoints").join(", ");
    const sql = `SELECT ${columns} FROM checkpoints WHERE team = ? AND reducer = ?`;
    const row = this.#database.get(sql, key, REDUCER_VERSION);
    if (row === undefined || !isIntact("checkpoints", row)) return undefined;
    try {
      return StoredState.parse(JSON.parse(String(row["json"])));
    } catch {
      return undefined;
    }
  }
}

/** The text of open messages is stored with the chunks. */
function withoutOpenTexts(state: TeamState): TeamState {
  const { inner } = state;
  return {
    ...state,
    streaming: state.streaming.map((message) => ({ ...message, text: "" })),
    ...(inner === undefined ? {} : { inner: mapValues(inner, withoutOpenTexts) }),
  };
}
