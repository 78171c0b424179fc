import type { CommandExit } from "../../shared/contract/command-exit.ts";
import type { ToolDeclaration } from "../../shared/contract/definition.ts";

/** A file or folder that a call uses. A search reads everything in and below it. */
export interface PathEffect {
  readonly use: "read" | "write" | "search";
  /** Absolute, with links resolved. */
  readonly path: string;
}

/** What a call does, as its tool states it. The approval rules are matched with this. */
export interface CallEffects {
  /** A command line for the system's shell, and the folder that it runs in: absolute, with links resolved. */
  readonly command?: { readonly line: string; readonly folder: string };
  readonly paths: readonly PathEffect[];
  /** Host names, with a port where one is given. */
  readonly hosts: readonly string[];
}

/** The context of one tool call. */
export interface ToolContext {
  readonly teamId: string;
  readonly participant: string;
  /** The participants that lead to its nested team. */
  readonly path?: readonly string[];
  /** The call's id, unique within the team. */
  readonly ref: string;
  /** Aborted by an interrupt. The tool must stop within 2 s; otherwise it is abandoned, and its late result is kept. */
  readonly signal: AbortSignal;
  /** Metadata given by the user, with `resumed: true` if the user restarted the call after an interrupt. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** What {@link Tool.effects} said when the call was approved. The tool must not do more than this. */
  readonly effects: CallEffects | undefined;
  /**
   * True for a file that the user's rules deny to this call or ask about, by its absolute path with links resolved. A tool
   * that searches folders leaves such files out. Without it, no file is left out.
   */
  readonly leavesOut?: ((path: string) => Promise<boolean>) | undefined;
  /** Notes how the command that the tool ran has ended, beside its output, which the command itself wrote. */
  exited?(exit: CommandExit): void;
  /** Streams output of the tool while it runs. */
  output(delta: string): void;
  /** Gets the whole output of a command, which {@link output} is given up to a limit. */
  readonly allOutput?: ((text: string) => void) | undefined;
}

/**
 * A tool that participants can call. `run` is given a prepared input. It returns the output as plain JSON (usually text),
 * throws an Error whose message is then the model's error result, or throws a {@link ToolInterrupt} to ask the user.
 */
export interface Tool {
  readonly declaration: ToolDeclaration;
  /** Tools that each participant with this one has too, as it is of little use without them. */
  readonly companions?: readonly Tool[];
  /**
   * What runs the tool, where that is neither the host nor its client, as a text for the user: a rule may be for the tools
   * of this program alone, as another one could have the same names.
   */
  readonly provider?: string;
  /**
   * The input in its normal form, without fields that mean nothing: what is approved, recorded, shown to the user and
   * run. An input in its normal form is returned as it is. @throws Error that says what is wrong with an input.
   */
  prepare?(input: unknown): unknown;
  /**
   * What a call with that prepared input would do now. Without it, or if it returns undefined, effects are guessed from the
   * names of fields. Changes nothing. @throws Error when the call cannot run.
   */
  effects?(input: unknown): Promise<CallEffects | undefined>;
  /**
   * A description of what a call with that input would do now, as plain JSON that is shown to the user before the
   * decision. Changes nothing, and may be called any number of times.
   */
  preview?(input: unknown): Promise<unknown>;
  run(input: unknown, context: ToolContext): Promise<unknown>;
}

/** Tools that are known only when something asks for them, such as those of a server that has to be started for it. */
export interface ToolSource {
  /** The tools that are known now. Their names may have characters that models do not accept. */
  readonly tools: readonly Tool[];
  /** A tool by its name. Until the tools are known, any that may be among them. */
  find(name: string): Tool | undefined;
  /** Why tools are missing, as a sentence for the model; undefined if none are. */
  readonly problem: string | undefined;
  /** Resolves when the tools are known or cannot be, or when `signal` aborts. Never rejects. */
  ready(signal: AbortSignal): Promise<void>;
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
