import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { Participant, ParticipantDefinition, ParticipantPlace, Turn, TurnOutcome } from "../../engine/index.ts";
import { errorOf } from "./error-of.ts";
import type { Loopback } from "./link/loopback.ts";
import { turnData } from "./turn-data.ts";

/** A participant of this host whose turns go over a link and back. */
export class LoopbackParticipant implements Participant {
  readonly name: string;
  readonly #inner: Participant;
  readonly #loopback: () => Promise<Loopback>;
  readonly #about: { readonly definition: ParticipantDefinition; readonly place: ParticipantPlace };
  #id: string | undefined;
  #live: { readonly loopback: Loopback; readonly turn: Turn } | undefined;

  constructor(
    inner: Participant,
    loopback: () => Promise<Loopback>,
    about: { readonly definition: ParticipantDefinition; readonly place: ParticipantPlace },
  ) {
    this.name = inner.name;
    this.#inner = inner;
    this.#loopback = loopback;
    this.#about = about;
  }

  get tools(): Participant["tools"] & {} {
    return this.#inner.tools ?? [];
  }

  async takeTurn(turn: Turn): Promise<TurnOutcome> {
    const loopback = await this.#loopback();
    if (turn.signal.aborted) return { kind: "interrupted" };
    this.#id ??= loopback.add(this.#inner);
    this.#live = { loopback, turn };
    try {
      const end = await loopback.link.takeTurn(loopback.node, turn, this.name, turnData(turn, this.#id, this.#about));
      if (end.kind === "done") return end.value;
      if (turn.signal.aborted) return { kind: "interrupted" };
      if (end.kind === "failed") throw errorOf(end.error);
      return { kind: "cutShort", message: `The turn of ${this.name} was lost, as ${end.why}.` };
    } finally {
      this.#live = undefined;
    }
  }

  onConcluded(): void {
    this.#inner.onConcluded?.();
  }

  onEvent(event: TeamEvent): void {
    this.#inner.onEvent?.(event);
    if (this.#live === undefined || !event.type.startsWith("plan/")) return;
    this.#live.loopback.link.planChanged(this.#live.loopback.node, this.#live.turn);
  }
}
