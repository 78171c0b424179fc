import { TeamEvent } from "../../../../shared/contract/event.ts";
import { LIMITS } from "../../../../shared/limits.ts";
import { safeParse } from "../../../../shared/safe-parse.ts";
import type { TurnDraft } from "../../../engine/index.ts";

/** What a turn at a worker may report, by the field that says who did it. */
const REPORTED: Readonly<Partial<Record<TurnDraft["type"], string>>> = {
  "message/started": "source",
  "message/chunk": "source",
  "reasoning/chunk": "from",
  "reasoning/thought": "from",
  "model/asked": "by",
  "model/retry": "participant",
  "model/fallback": "participant",
  "model/waiting": "participant",
  "model/waited": "participant",
  "context/summarizing": "participant",
  "plan/updated": "participant",
  "memory/added": "participant",
  "tool/executed": "participant",
};

/** As `newId` makes them. */
const MESSAGE_ID = /^msg_[0-9a-f]{16}$/;

/**
 * Checks what a worker reports of a turn. It is taken as the participant's own, whoever it names; what no turn of this
 * participant could report is left out.
 */
export class TurnReports {
  readonly #name: string;
  readonly #turnId: string;
  /** The characters of each message of the turn. */
  readonly #messages = new Map<string, number>();
  #thoughts = 0;

  constructor(name: string, turnId: string) {
    this.#name = name;
    this.#turnId = turnId;
  }

  /** Whether the turn has begun a message of that id. */
  has(messageId: string): boolean {
    return this.#messages.has(messageId);
  }

  /** The event to record, as one of this turn; undefined for none. `isOwnCall`: it answers the call itself. */
  draft(given: unknown, isOwnCall: (ref: string) => boolean): TurnDraft | undefined {
    const parsed = safeParse(TeamEvent, typeof given === "object" ? { ...given, seq: 0, at: "" } : given);
    if (!parsed.success) return undefined;
    const { at: _at, runId: _runId, path: _path, ...event } = parsed.data;
    const { seq: _seq, ...own } = { seq: 0, ...event };
    const who = REPORTED[own.type as TurnDraft["type"]];
    if (who === undefined || !this.#isPossible(own as TurnDraft, isOwnCall)) return undefined;
    const turn = who === "from" ? { correlation_id: [this.#turnId] } : {};
    return { ...own, [who]: this.#name, ...turn } as TurnDraft;
  }

  #isPossible(draft: TurnDraft, isOwnCall: (ref: string) => boolean): boolean {
    switch (draft.type) {
      case "message/started":
        if (!MESSAGE_ID.test(draft.messageId) || this.has(draft.messageId)) return false;
        this.#messages.set(draft.messageId, 0);
        return true;
      case "message/chunk": {
        const length = (this.#messages.get(draft.messageId) ?? Number.POSITIVE_INFINITY) + draft.delta.length;
        if (length > LIMITS.answer.characters) return false;
        this.#messages.set(draft.messageId, length);
        return true;
      }
      case "reasoning/chunk":
        this.#thoughts += draft.delta.length;
        return this.#thoughts <= LIMITS.answer.characters;
      case "reasoning/thought":
        return (draft.message?.length ?? 0) <= LIMITS.answer.characters;
      // Its own built-in tools alone: what the host runs is recorded by the host.
      case "tool/executed":
        return isOwnCall(draft.ref);
      default:
        return true;
    }
  }
}
