import { modelError } from "../../../shared/contract/errors.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { Participant, ParticipantDefinition, ParticipantPlace, Turn, TurnOutcome } from "../../engine/index.ts";
import { errorOf } from "./error-of.ts";
import type { PlacedOn, WorkerFinder } from "./found-worker.ts";
import type { WorkerLink } from "./link/worker-link.ts";
import { turnData } from "./turn-data.ts";

export interface WorkerParticipantOptions {
  readonly workers: WorkerFinder;
  readonly definition: ParticipantDefinition;
  readonly on: PlacedOn;
  readonly place: ParticipantPlace;
}

/**
 * A participant whose turns a worker runs. Its calls are requested, judged, recorded and run by this host: a tool of the
 * worker is asked for by the host once the call is allowed.
 */
export class WorkerParticipant implements Participant {
  readonly name: string;
  readonly #options: WorkerParticipantOptions;
  /** The turn in progress, which is told of a changed plan. */
  #live: { readonly link: WorkerLink; readonly node: string; readonly turn: Turn } | undefined;

  constructor(options: WorkerParticipantOptions) {
    this.name = options.definition.name;
    this.#options = options;
  }

  /** @throws GavelError with a sentence that says what to do. */
  async takeTurn(turn: Turn): Promise<TurnOutcome> {
    const { workers, on } = this.#options;
    const { link, offers } = await workers.find(on.worker, turn.signal);
    if (turn.signal.aborted || turn.soft.aborted) return { kind: "interrupted" };
    const participant = on.participant ?? this.name;
    if (!offers.participants.some(({ name }) => name === participant)) {
      const there = offers.participants.map(({ name }) => name).join(", ");
      const message = `The worker "${on.worker}" has no participant "${participant}"; it has ${there === "" ? "none" : there}.`;
      throw modelError(message, { retryable: false, fix: "teamFile" });
    }
    this.#live = { link, node: offers.node, turn };
    try {
      const end = await link.takeTurn(offers.node, turn, this.name, turnData(turn, participant, this.#options));
      if (end.kind === "done") return end.value;
      if (turn.signal.aborted) return { kind: "interrupted" };
      if (end.kind === "failed") throw errorOf(end.error);
      // What its tools did is not known: the turn goes on when the user has said what became of them.
      if (end.waits) return { kind: "awaitingTools" };
      const message = `The worker ${on.worker} was lost in the turn of ${this.name}, as ${end.why}; what ${this.name} had said is kept.`;
      return { kind: "cutShort", message };
    } finally {
      this.#live = undefined;
    }
  }

  /** The user may have edited the plan. */
  onEvent(event: TeamEvent): void {
    if (this.#live === undefined || !event.type.startsWith("plan/")) return;
    const { link, node, turn } = this.#live;
    link.planChanged(node, turn);
  }
}
