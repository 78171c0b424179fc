import * as z from "zod";
import { Usage } from "../../../shared/contract/message.ts";
import { OpenTurn } from "../../../shared/contract/saved-state.ts";
import { PendingTool, TeamSnapshot, ToolCall } from "../../../shared/contract/team.ts";
import { REDUCER_VERSION } from "../../../shared/reducer.ts";
import type { TeamState } from "../../../shared/team-state.ts";
import type { Database } from "./database.ts";

/** A {@link TeamState} as it stands in the store. */
const StoredState = TeamSnapshot.extend({
  run: z.object({ runId: z.string(), usage: Usage, threadStart: z.number().int() }).nullable(),
  selected: z.object({ participants: z.array(z.string()), directed: z.enum(["continue", "pause"]).exactOptional() }),
  openTurns: z.array(OpenTurn),
  calls: z.array(
    ToolCall.extend({
      participant: z.string(),
      started: z.boolean(),
      abandoned: z.literal(true).exactOptional(),
      asked: PendingTool.pick({ interrupt: true, approval: true }).exactOptional(),
    }),
  ),
  lastSpeaker: z.string().nullable(),
  unanswered: z.object({ participant: z.string(), directed: z.enum(["continue", "pause"]) }).exactOptional(),
  conditionMessages: z.number().int(),
});

/**
 * A team's state at some event, one for each team, so that opening it folds only the events after it. It is a shortcut and
 * never the truth: one that does not read, or that another reducer made, is passed over, and everything is folded anew.
 */
export class Checkpoints {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  save(key: number, state: TeamState): void {
    // The text of open messages stands with the chunks.
    const streaming = state.streaming.map((message) => ({ ...message, text: "" }));
    const json = JSON.stringify({ ...state, streaming });
    this.#database.run(
      "INSERT OR REPLACE INTO checkpoints (team, seq, reducer, json) VALUES (?, ?, ?, ?)",
      key,
      state.lastSeq,
      REDUCER_VERSION,
      json,
    );
  }

  get(key: number): TeamState | undefined {
    const row = this.#database.get("SELECT json FROM checkpoints WHERE team = ? AND reducer = ?", key, REDUCER_VERSION);
    if (row === undefined) return undefined;
    try {
      return StoredState.parse(JSON.parse(String(row["json"])));
    } catch {
      return undefined;
    }
  }
}
