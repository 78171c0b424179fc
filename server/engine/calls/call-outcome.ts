/** How one tool call ended. */
export type CallOutcome =
  | { readonly kind: "done"; readonly ref: string; readonly output: unknown; readonly isError: boolean }
  | { readonly kind: "pending"; readonly ref: string }
  | { readonly kind: "interrupted"; readonly ref: string };

/** A call that a model has requested. */
export interface RequestedCall {
  readonly ref: string;
  /** The model's own id of the call. */
  readonly id?: string;
  readonly name: string;
  readonly input: unknown;
  /** What the model's provider wants back with the result. */
  readonly signedThoughts?: string;
  /** What is wrong with the arguments: not valid JSON, or refused by the tool. `input` is then as the model gave it. */
  readonly malformed?: string;
  /**
   * Set for what a program does by itself, and only reports: its call is recorded like any other, but no rule is applied to
   * it, as none could keep it from running.
   */
  readonly reported?: true;
}
