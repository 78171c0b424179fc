import * as z from "zod";
import { Usage } from "../../../../shared/contract/message.ts";
import { OpenCall, OpenTurn, TeamSnapshotShape } from "../../../../shared/contract/team.ts";
import { REDUCER_VERSION } from "../../../../shared/state/reducer.ts";
import { mapValues, type TeamState } from "../../../../shared/state/team-state.ts";
import { cutJson, hasTexts, withTexts } from "../cut-texts.ts";
import type { Database } from "../database.ts";
import { OF_CHECKPOINT, readTexts } from "../events/long-texts.ts";
import { columnsOf, insertSummed, isIntact } from "../row-sums.ts";
import type { WriteQueue } from "../write-queue.ts";

const directed = z.enum(["continue", "pause"]);

// A state has what is in progress in fields of its own.
const { inProgress: _, ...fields } = TeamSnapshotShape;

/** A {@link TeamState} as it is stored. What is not listed is lost, so every field must be. */
const StoredState: z.ZodType<TeamState> = z.lazy(() =>
  z.object({
    ...fields,
    run: z.object({ runId: z.string(), usage: Usage, threadStart: z.number().int() }).nullable(),
    selected: z.object({ participants: z.array(z.string()), directed: directed.exactOptional() }),
    openTurns: z.array(OpenTurn),
    calls: z.array(OpenCall),
    lastSpeaker: z.string().nullable(),
    unanswered: z.object({ participant: z.string(), directed }).exactOptional(),
    due: z.array(z.object({ id: z.string(), to: z.string(), seq: z.int().exactOptional() })).exactOptional(),
    handoffTo: z.string().exactOptional(),
    handoffFrom: z.string().exactOptional(),
    note: z.unknown().optional(),
    finishedAt: z.number().int().exactOptional(),
    asked: z.record(z.string(), z.number().int()).exactOptional(),
    memories: z.record(z.string(), z.array(z.string())).exactOptional(),
    inner: z.record(z.string(), StoredState).exactOptional(),
    conditionMessages: z.number().int(),
  } satisfies Record<keyof TeamState, z.ZodType>),
);

/**
 * A team's state at some event, one per team, so that opening the team folds only later events. It is a cache: one that
 * is damaged, or that another version of the reducer made, is ignored, and all events are folded.
 */
export class Checkpoints {
  readonly #database: Database;
  readonly #queue: WriteQueue;

  constructor(database: Database, queue: WriteQueue) {
    this.#database = database;
    this.#queue = queue;
  }

  /** @throws GavelError `StorageError`. */
  async save(key: number, state: TeamState): Promise<void> {
    const { json, texts } = cutJson(withoutOpenTexts(state));
    const { lastSeq } = state;
    const statements = [
      [insertSummed("checkpoints", "replaced"), key, lastSeq, REDUCER_VERSION, json],
      // A checkpoint is never ahead of the stored events.
      [
        "DELETE FROM checkpoints WHERE team = ?1 AND seq > (SELECT coalesce(max(seq), 0) FROM events WHERE team = ?1)",
        key,
      ],
      ["DELETE FROM textUses WHERE team = ? AND seq = ?", key, OF_CHECKPOINT],
    ] as const;
    await this.#queue.write<"run">({ kind: "run", statements, texts: { team: key, seq: OF_CHECKPOINT, texts } });
  }

  async get(key: number): Promise<TeamState | undefined> {
    const columns = columnsOf("checkpoints").join(", ");
    const sql = `SELECT ${columns} FROM checkpoints WHERE team = ? AND reducer = ?`;
    const row = await this.#database.get(sql, key, REDUCER_VERSION);
    if (row === undefined || !isIntact("checkpoints", row)) return undefined;
    try {
      const value: unknown = JSON.parse(String(row["json"]));
      const texts = hasTexts(value) ? await readTexts(this.#database, key, OF_CHECKPOINT) : [];
      return StoredState.parse(withTexts(value, texts));
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
