import { BUDGET, StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { RunContext } from "../cancellation/run-context.ts";
import { unlessAborted } from "../cancellation/unless-aborted.ts";
import { EXTERNAL_STOP } from "../conditions/external-condition.ts";
import type { Selection } from "../managers/manager.ts";
import { awaitingTools, awaitingUser, finished, paused, type RunEnd, terminated } from "./run-end.ts";
import type { RunParts } from "./run-parts.ts";
import { TeamSelectionContext } from "./selection-context.ts";
import type { Speakers, TurnHandle } from "./speakers.ts";

/** The flow of a run: asks the manager who speaks, waits for the turns, and checks after them whether the run ends. */
export class TurnFlow {
  readonly #parts: RunParts;
  readonly #context: RunContext;
  readonly #speakers: Speakers;
  #selection: RunContext | undefined;
  #stopRequested = false;

  constructor(parts: RunParts, context: RunContext, speakers: Speakers) {
    this.#parts = parts;
    this.#context = context;
    this.#speakers = speakers;
  }

  /** Whether the run ends at the next check. */
  requestStop(isWanted: boolean): void {
    this.#stopRequested = isWanted;
  }

  /** Interrupts a selection in progress, if there is one. */
  interruptSelection(): void {
    this.#selection?.interrupt({ kind: "interrupt" });
  }

  /** Selects the next speakers and waits for their turns. Undefined if the run continues, or an interrupt came first. */
  async next(): Promise<RunEnd | undefined> {
    const { awaitingUser: waiting, pendingTools, finishedAt, threadLength } = this.#parts.ledger.state;
    if (pendingTools.length > 0) return (await this.#besideUser()) ?? awaitingTools();
    if (waiting !== undefined) return (await this.#besideUser()) ?? awaitingUser();
    // Since the end of the conversation there were only directed messages: their answers do not start it over.
    if (finishedAt !== undefined && threadLength > finishedAt) return finished(StopReason.userMessageCompleted);
    const selection = await this.#select([]);
    if (selection === undefined) return undefined;
    if ("end" in selection) return finished(selection.end);
    if (selection.speakers.length === 0) return terminated("No participant is left to speak.");
    return this.round(selection.speakers.map((name) => this.#speakers.startTurn(name)));
  }

  /**
   * The user's own turn is still open, or calls wait for the user: those who spoke beside and were cut short speak again,
   * and no others.
   */
  async #besideUser(): Promise<RunEnd | undefined> {
    if (this.#parts.manager.overlaps !== true) return undefined;
    const selection = await this.#select([]);
    if (selection === undefined || "end" in selection || selection.speakers.length === 0) return undefined;
    return this.round(selection.speakers.map((name) => this.#speakers.startTurn(name)));
  }

  /** Waits for concurrent turns, then checks whether the run ends; an overlapping manager may add speakers meanwhile. */
  async round(turns: readonly TurnHandle[]): Promise<RunEnd | undefined> {
    if (this.#parts.manager.overlaps !== true) return this.fixedRound(turns);
    return this.#speakers.awaitTurns(turns, {
      add: async (speaking) => {
        const end = this.checkTermination();
        if (end !== undefined) return { end };
        const selection = speaking.length > 0 ? await this.#select(speaking) : undefined;
        if (selection === undefined) return { speakers: [] };
        return "end" in selection ? { end: finished(selection.end) } : selection;
      },
    });
  }

  /** Waits for concurrent turns to which no speaker is added, then checks whether the run ends. */
  async fixedRound(turns: readonly TurnHandle[], context = this.#context): Promise<RunEnd | undefined> {
    return (await this.#speakers.awaitTurns(turns, { context })) ?? this.checkTermination();
  }

  /** How the run ends after what was said last; undefined if it continues. */
  checkTermination(): RunEnd | undefined {
    if (this.#context.isStopping) return undefined;
    const { conditions, ledger, maxTurns } = this.#parts;
    const reason = conditions.check();
    if (reason !== null)
      return conditions.pauses ? paused(reason, { code: "interrupted", reason: BUDGET }) : terminated(reason);
    if (maxTurns !== undefined && ledger.state.turn >= maxTurns) {
      return terminated(`Maximum number of turns ${maxTurns} reached.`);
    }
    return this.#stopRequested ? terminated(EXTERNAL_STOP) : undefined;
  }

  /** The manager's selection, recorded; undefined if an interrupt came first. */
  async #select(speaking: readonly string[]): Promise<Selection | undefined> {
    const { ledger, transcript, manager } = this.#parts;
    this.#selection = this.#context.child("selection");
    const { signal } = this.#selection;
    const selecting = manager.select(new TeamSelectionContext({ ledger, transcript, speaking, signal }));
    // If the manager ignores the signal, its late selection is dropped.
    const selection = selecting instanceof Promise ? await unlessAborted(selecting, signal) : selecting;
    this.#selection.end();
    if (selection === undefined || this.#context.isStopping) return undefined;
    const note = selection.note === undefined ? {} : { note: selection.note };
    if ("speakers" in selection && (selection.speakers.length > 0 || selection.note !== undefined)) {
      ledger.record({ type: "speaker/selected", participants: [...selection.speakers], ...note });
    }
    return selection;
  }
}
