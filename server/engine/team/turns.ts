import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { OpenTurn } from "../../../shared/contract/saved-state.ts";
import { firstLine, textOf } from "../../../shared/message-text.ts";
import { newId } from "../id.ts";
import { type Happening, happeningsOf, turnsOf } from "../participants/container.ts";
import type { Reply } from "../participants/participant.ts";
import type { RunContext } from "../run/run-context.ts";
import type { Address, Runtime } from "../runtime/runtime.ts";
import type { Ledger } from "./ledger.ts";
import type { Transcript } from "./transcript.ts";

/** How a turn ended, or that it waits for the user's rulings on its calls. */
export type TurnEnd = "ended" | "awaitingTools" | "interrupted";

export interface TurnsOptions {
  readonly teamId: string;
  readonly ledger: Ledger;
  readonly transcript: Transcript;
  readonly runtime: Runtime;
  readonly graceMs: number;
  readonly contexts: ReadonlyMap<string, ContextDefinition | undefined>;
  /** What happened in a turn could not be recorded. */
  readonly onFailure: (error: unknown) => void;
}

/** Gives participants the floor, and takes up what happens meanwhile: nothing of a turn that is over, or interrupted. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #live = new Map<string, RunContext>();

  constructor(options: TurnsOptions) {
    this.#options = options;
    const { teamId, runtime } = options;
    const address: Address<Happening, void> = { id: `${teamId}/team` };
    runtime.register(address, (happening) => this.#happened(happening));
    runtime.subscribe(happeningsOf(teamId), address);
  }

  /**
   * One turn of `name`, or the rest of `open`.
   * @throws what the participant threw, unless the turn was interrupted.
   */
  async take(name: string, context: RunContext, open?: OpenTurn): Promise<TurnEnd> {
    if (context.interrupted) return "interrupted";
    const id = open?.id ?? this.#begin(name);
    this.#live.set(id, context);
    try {
      const { runtime, graceMs, teamId, transcript, contexts } = this.#options;
      const items = transcript.itemsFor(name, contexts.get(name));
      const speak = { turnId: id, items, thread: transcript.messages };
      const outcome = await runtime.send(turnsOf(teamId, name), speak, { signal: context.signal, graceMs });
      if (context.interrupted || outcome.kind === "interrupted") return "interrupted";
      if (outcome.kind === "awaitingTools") return "awaitingTools";
      this.#conclude(id, name, outcome.reply);
      return "ended";
    } catch (error) {
      if (context.interrupted) return "interrupted";
      throw error;
    } finally {
      this.#live.delete(id);
    }
  }

  #begin(name: string): string {
    const id = newId("turn");
    const last = this.#options.ledger.state.thread.at(-1);
    const input = last === undefined ? "" : firstLine(textOf(last));
    this.#options.ledger.record({ type: "reasoning/start", id, from: name, input });
    return id;
  }

  #conclude(id: string, name: string, { id: messageId, ...reply }: Reply): void {
    const { ledger } = this.#options;
    const message: ChatMessage = {
      id: messageId ?? newId("msg"),
      source: name,
      createdAt: new Date().toISOString(),
      ...reply,
    };
    ledger.record({ type: "message/added", message });
    ledger.record({ type: "reasoning/conclusion", from: name, correlation_id: [id] });
  }

  #happened({ turnId, draft }: Happening): void {
    try {
      if (turnId === undefined) {
        if ("ref" in draft && this.#isOpen(draft.ref)) this.#options.ledger.record(draft);
        return;
      }
      const context = this.#live.get(turnId);
      if (context !== undefined && !context.interrupted) this.#options.ledger.record(draft);
    } catch (error) {
      // What a tool has done is done: its result stands, also while it can not be kept.
      if (draft.type === "tool/executed") this.#options.ledger.recordClosing(draft);
      this.#options.onFailure(error);
    }
  }

  /** A call has one result: what comes for a call that has it already is too late. */
  #isOpen(ref: string): boolean {
    return this.#options.ledger.state.calls.some((call) => call.ref === ref);
  }
}
