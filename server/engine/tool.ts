import type { ToolDeclaration } from "../../shared/contract/definition.ts";

/** What one call of a tool runs in. */
export interface ToolContext {
  readonly teamId: string;
  readonly participant: string;
  /** The call's name, for as long as the team lives. */
  readonly ref: string;
  /** Aborted by an interrupt. A tool then stops within 2 s, or is abandoned and its late result kept. */
  readonly signal: AbortSignal;
  /** `resumed: true` when the user restarted the call after an interrupt (seed 002), with what else the user gave. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Shows what the tool prints while it runs. */
  output(delta: string): void;
}

/**
 * A tool that participants can call. `run` returns the output as plain JSON (usually text), throws an Error whose message is
 * then the model's error result, or throws a {@link ToolInterrupt} to put the call to the user.
 */
export interface Tool {
  readonly declaration: ToolDeclaration;
  /** Says what is wrong with an input, or nothing when it fits. Asked before the tool runs or is put to the user. */
  check?(input: unknown): string | undefined;
  /**
   * What a call with that input would do, as plain JSON to be shown before the user rules on it. It changes nothing, and may
   * be asked any number of times; what it shows is how things stand at that time.
   */
  preview?(input: unknown): Promise<unknown>;
  run(input: unknown, context: ToolContext): Promise<unknown>;
}

/** Thrown by a tool that needs the user: the turn stops, and the call is pending until it is answered (seed 002). */
export class ToolInterrupt extends Error {
  override readonly name = "ToolInterrupt";
  readonly data: unknown;

  constructor(data: unknown = true) {
    super("The tool asks the user.");
    this.data = data;
  }
}
