/** Why a context was interrupted. */
export type InterruptCause =
  | {
      readonly kind: "interrupt";
      /** How long the work may take to stop, in milliseconds, if that is less than the team's grace. */
      readonly limitMs?: number;
    }
  /** The hard stop: `$/cancelRequest`. */
  | { readonly kind: "cancel" }
  /** The answer to a directed message timed out. */
  | { readonly kind: "timeout" }
  /** The run cannot continue, for example because its events cannot be stored. */
  | { readonly kind: "failure"; readonly error: unknown };

/** How long an interrupted node may take to stop, in milliseconds, if its interrupt sets a limit. */
export const stopLimitOf = ({ cause }: RunContext): number =>
  (cause?.kind === "interrupt" ? cause.limitMs : undefined) ?? Number.POSITIVE_INFINITY;

/** When a node that winds down stops: at the end of the model step (`thought`) or of the turn in progress. */
export type WindDownPoint = "thought" | "turn";

/**
 * A node in the tree of running work: a run, a participant's turn, a model call, a tool call (the Timbal external interrupt
 * design, DECISIONS.md). Interrupting a node interrupts all nodes below it and none above.
 */
export class RunContext {
  readonly name: string;
  readonly #parent: RunContext | undefined;
  readonly #children = new Set<RunContext>();
  readonly #controller = new AbortController();
  readonly #softController = new AbortController();
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

  /** Why the node was interrupted; undefined if it was not. */
  get cause(): InterruptCause | undefined {
    return this.#cause;
  }

  get isInterrupted(): boolean {
    return this.#cause !== undefined;
  }

  /** Aborted when the node must start nothing more once the model step, or the tools, in progress have ended. */
  get softSignal(): AbortSignal {
    return this.#softController.signal;
  }

  /** When the node is to stop; undefined if it was not asked to wind down. */
  get windDownPoint(): WindDownPoint | undefined {
    return this.#windDownPoint;
  }

  /** True when the node must start nothing more: it was interrupted, or is winding down. */
  get isStopping(): boolean {
    return this.#cause !== undefined || this.#windDownPoint !== undefined;
  }

  /** Ends this node and all below it at `until`; if called twice, the earlier point counts. */
  windDown(until: WindDownPoint): void {
    if (this.#windDownPoint === "thought" || this.#windDownPoint === until) return;
    this.#windDownPoint = until;
    for (const child of this.#children) child.windDown(until);
    if (until === "thought") this.#softController.abort();
  }

  /** Interrupts this node and all below it. Of several causes, the first is kept. */
  interrupt(cause: InterruptCause): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    for (const child of this.#children) child.interrupt(cause);
    this.#controller.abort(cause);
  }

  /** Detaches the node from its parent: later interrupts of the parent no longer reach it. */
  end(): void {
    if (this.#parent !== undefined) this.#parent.#children.delete(this);
  }
}
