import type { EventDraft } from "../../../shared/contract/event.ts";
import type { RunContext } from "../cancellation/run-context.ts";

/** A new direction for a participant's reasoning, and who gave it. */
export interface Redirection {
  readonly by: string;
  readonly text: string;
}

/** A request to stop a reasoning sequence once the thought in progress has ended. */
export interface StopRequest {
  /** The message of its conclusion. */
  readonly message: string;
  /** Sent to the participant afterwards. */
  readonly redirections: readonly Redirection[];
  /** True if the run ends with the turn; otherwise the participant takes another turn immediately. */
  readonly stops: boolean;
}

/** A reasoning sequence in progress: one participant's turn. */
export class LiveReasoning {
  readonly id: string;
  readonly participant: string;
  /** The context of this sequence alone; the turn that follows a redirection has another. */
  readonly context: RunContext;
  /** Resolves when the sequence has ended. */
  readonly ended: Promise<void>;
  readonly #resolveEnded: () => void;
  #stopRequest: StopRequest | undefined;
  #thought = "";

  /** `stopRequest`: what it was asked before it was resumed. */
  constructor(id: string, participant: string, context: RunContext, stopRequest?: StopRequest) {
    this.id = id;
    this.participant = participant;
    this.context = context;
    this.#stopRequest = stopRequest;
    if (stopRequest !== undefined) context.windDown("thought");
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#resolveEnded = resolve;
  }

  get stopRequest(): StopRequest | undefined {
    return this.#stopRequest;
  }

  /**
   * Ends the sequence with the thought in progress: with a redirection to continue in that direction, without one to stop.
   * Stop wins over redirect.
   */
  windDown(message: string, redirection?: Redirection): void {
    const { redirections = [], stops = false } = this.#stopRequest ?? {};
    this.#stopRequest = {
      message,
      redirections: redirection === undefined ? redirections : [...redirections, redirection],
      stops: stops || redirection === undefined,
    };
    this.context.windDown("thought");
  }

  /** Collects what its participant thinks, until the thought is recorded. */
  noteThought(draft: EventDraft): void {
    if (draft.type === "reasoning/chunk") this.#thought += draft.delta;
    else if (draft.type === "reasoning/thought") this.#thought = "";
  }

  /** @returns what came of a thought that is not recorded, once; empty without one. */
  takeThought(): string {
    const thought = this.#thought;
    this.#thought = "";
    return thought;
  }

  /** Marks the sequence as ended. */
  end(): void {
    this.context.end();
    this.#resolveEnded();
  }
}
