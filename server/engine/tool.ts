import type { ToolDeclaration } from "../../shared/contract/definition.ts";

/** The context of one tool call. */
export interface ToolContext {
  readonly teamId: string;
  readonly participant: string;
  /** The call's id, unique within the team. */
  readonly ref: string;
  /** Aborted by an interrupt. The tool must stop within 2 s; otherwise it is abandoned, and its late result is kept. */
  readonly signal: AbortSignal;
  /** Metadata given by the user, with `resumed: true` if the user restarted the call after an interrupt. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Streams output of the tool while it runs. */
  output(delta: string): void;
}

/**
 * A tool that participants can call. `run` returns the output as plain JSON (usually text), throws an Error whose message is
 * then the model's error result, or throws a {@link ToolInterrupt} to ask the user.
 */
export interface Tool {
  readonly declaration: ToolDeclaration;
  /** Says what is wrong with an input; undefined if it is valid. Called before the tool runs or the user is asked. */
  check?(input: unknown): string | undefined;
  /**
   * What a call with that input would do now, as plain JSON that is shown to the user before the decision. Changes nothing,
   * and may be called any number of times.
   */
  preview?(input: unknown): Promise<unknown>;
  run(input: unknown, context: ToolContext): Promise<unknown>;
}

/**
 * Thrown by a tool that needs the user: the turn stops, and the call is pending until it is answered (the Genkit tool
 * interrupts design, DECISIONS.md).
 */
export class ToolInterrupt extends Error {
  override readonly name = "ToolInterrupt";
  readonly data: unknown;

  constructor(data: unknown = true) {
    super("The tool needs input from the user.");
    this.data = data;
  }
}
