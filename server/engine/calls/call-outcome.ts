/** How one tool call ended. */
export type CallOutcome =
  | { readonly kind: "done"; readonly ref: string; readonly output: unknown; readonly isError: boolean }
  | { readonly kind: "pending"; readonly ref: string }
  | { readonly kind: "interrupted"; readonly ref: string };

/** A call that a model has requested. */
export interface RequestedCall {
  readonly ref: string;
  readonly name: string;
  readonly input: unknown;
  /** Set when the arguments are not valid JSON: what is wrong. `input` is then the text that the model gave. */
  readonly malformed?: string;
}
