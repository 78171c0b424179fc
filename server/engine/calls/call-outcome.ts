/** What came of one tool call. */
export type CallOutcome =
  | { readonly kind: "done"; readonly ref: string; readonly output: unknown; readonly isError: boolean }
  | { readonly kind: "pending"; readonly ref: string }
  | { readonly kind: "interrupted"; readonly ref: string };
/** A call as it is about to be made. */
export interface RequestedCall {
  readonly ref: string;
  readonly name: string;
  readonly input: unknown;
  /** Why the input is no JSON, in which case it is the text that the model gave. */
  readonly malformed?: string;
}
