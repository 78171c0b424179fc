import type { CommandId } from "../../contributions.ts";

/** Runs one of Gavel's commands. */
type RunCommand = (id: CommandId, argument?: unknown) => PromiseLike<unknown>;

/** What fixes something. */
export interface SetupFix {
  readonly label: string;
  readonly run: (run: RunCommand) => unknown;
  /** Whether it is fixed once `run` has resolved, so that all is checked again. */
  readonly checkAgain?: true;
}

/** One thing that was checked. */
export interface Finding {
  readonly what: string;
  /** A sentence: what is wrong and what to do, or that it works. */
  readonly text: string;
  /** `note`: it works, but could be better. */
  readonly state: "works" | "wrong" | "note";
  /** What fixes it, or makes it better. */
  readonly fix?: SetupFix;
}
