import type { RunStatus } from "../../shared/contract/team.ts";

/** What a command says to the program that started it (docs/COMMAND-LINE.md). Signals have those of `EndedBy`. */
export const ExitCode = {
  /** The team finished: by a termination condition, a limit, or its manager. */
  finished: 0,
  /** The run failed, or the command did. */
  failed: 1,
  /** The command was called in a way that it does not know. */
  usage: 2,
  /** The run was interrupted, or a budget paused it: it can be continued. */
  paused: 3,
  /** A tool call or a question waits for the user, and no one is there to ask. */
  waiting: 4,
  /** Another Gavel runs the thread, or the user has left it running. */
  busy: 5,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The exit code of a run that waits for no one. */
export function codeOf({ code }: RunStatus): ExitCode {
  switch (code) {
    case "success":
      return ExitCode.finished;
    case "error":
      return ExitCode.failed;
    case "interrupted":
    case "cancelled":
      return ExitCode.paused;
  }
}
