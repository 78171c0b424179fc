import type { Problem } from "../../shared/contract/problem.ts";

/** A team file that could not be opened: it is shown, with its problems, in place of its team. */
export interface FailedOpening {
  readonly uri: string;
  /** The stored thread that it was opened for; a new one if left out. */
  readonly teamId?: string | undefined;
  /** The file's name. */
  readonly name: string;
  readonly problems: readonly Problem[];
}
