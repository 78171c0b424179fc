/** Why a context was interrupted. */
export type InterruptCause =
  | { readonly kind: "interrupt" }
  /** The hard stop, `$/cancelRequest`. */
  | { readonly kind: "cancel" }
  /** A directed message was not answered in time. */
  | { readonly kind: "timeout" }
  /** The run can not go on, as its events can not be kept. */
  | { readonly kind: "failure"; readonly error: unknown };

/** At which moment a node that was asked to wind down stops: when the model step, or the turn, that is in progress has ended. */
export type WindDownPoint = "thought" | "turn";

/**
 * A node in the tree of what is going on: a run, a participant's turn, a model call, a tool call (seed 003, "RunContext
 * Enhancement"). Interrupting it reaches all below it and nothing above.
 */
export class RunContext {
  readonly name: string;
  readonly #parent: RunContext | undefined;
  readonly #children = new Set<RunContext>();
  readonly #controller = new AbortController();
  readonly #soft = new AbortController();
  #cause: InterruptCause | undefined;
  #windDownPoint: WindDownPoint | undefined;

  constructor(name: string, parent?: RunContext) {
    this.name = name;
    this.#parent = parent;
    if (parent === undefined) return;
    parent.#children.add(this);
    if (parent.#windDownPoint !== undefined) this.windDown(parent.#windDownPoint);
    if (parent.#cause !== undefined) this.interrupt(parent.#cause);
  }

  child(name: string): RunContext {
    return new RunContext(name, this);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why it was interrupted, if it was. */
  get cause(): InterruptCause | undefined {
    return this.#cause;
  }

  get isInterrupted(): boolean {
    return this.#cause !== undefined;
  }

  /** Aborted when nothing more is to begin after the model step, or the tools, that are in progress. */
  get softSignal(): AbortSignal {
    return this.#soft.signal;
  }

  /** When it is to stop, if it was asked to wind down. */
  get windDownPoint(): WindDownPoint | undefined {
    return this.#windDownPoint;
  }

  /** True when nothing more is to begin: it was interrupted, or asked to wind down. */
  get isStopping(): boolean {
    return this.#cause !== undefined || this.#windDownPoint !== undefined;
  }

  /** Lets this node and all below it come to an end at a good moment; the sooner of two moments counts. */
  windDown(until: WindDownPoint): void {
    if (this.#windDownPoint === "thought" || this.#windDownPoint === until) return;
    this.#windDownPoint = until;
    for (const child of this.#children) child.windDown(until);
    if (until === "thought") this.#soft.abort();
  }

  /** Interrupts this node and all below it. The first cause stays. */
  interrupt(cause: InterruptCause): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    for (const child of this.#children) child.interrupt(cause);
    this.#controller.abort(cause);
  }

  /** Ends the node: an interrupt above no longer reaches it. */
  end(): void {
    if (this.#parent !== undefined) this.#parent.#children.delete(this);
  }
}
