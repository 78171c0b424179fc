import type { RunContext } from "../cancellation/run-context.ts";

/** A new direction for a participant's reasoning, and whose it is. */
export interface Redirection {
  readonly by: string;
  readonly text: string;
}

/** What is to become of a reasoning sequence once the thought in progress has ended. */
export interface StopRequest {
  /** What its conclusion says. */
  readonly message: string;
  /** What is said to the participant after it. */
  readonly redirections: readonly Redirection[];
  /** The run ends with the turn; else the participant takes another at once. */
  readonly stops: boolean;
}

/** A reasoning sequence that is going on: one participant's turn. */
export class LiveReasoning {
  readonly id: string;
  readonly participant: string;
  /** That of the sequence alone: the turn that follows a redirection has another. */
  readonly context: RunContext;
  /** Resolves when it goes on no more. */
  readonly ended: Promise<void>;
  readonly #resolveEnded: () => void;
  #stopRequest: StopRequest | undefined;

  constructor(id: string, participant: string, context: RunContext) {
    this.id = id;
    this.participant = participant;
    this.context = context;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#resolveEnded = resolve;
  }

  get stopRequest(): StopRequest | undefined {
    return this.#stopRequest;
  }

  /** Lets the thought in progress end the sequence: to go on in a new direction, or without one to stop. Stopping outdoes going on. */
  windDown(message: string, redirection?: Redirection): void {
    const { redirections = [], stops = false } = this.#stopRequest ?? {};
    this.#stopRequest = {
      message,
      redirections: redirection === undefined ? redirections : [...redirections, redirection],
      stops: stops || redirection === undefined,
    };
    this.context.windDown("thought");
  }

  /** It goes on no more. */
  end(): void {
    this.context.end();
    this.#resolveEnded();
  }
}
