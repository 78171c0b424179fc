import type { ValidationProblem } from "./validation-problem.ts";

/** A team file's content with what its references led to in their place. */
export interface ResolvedContent {
  readonly content: unknown;
  /** What is wrong with the references. */
  readonly problems: readonly ValidationProblem[];
  /** A sentence for each part of an agent file that is not taken over. */
  readonly notes: readonly ValidationProblem[];
}

/** Resolves the references to files in a team file's content, which is not checked yet. */
export type ResolveContent = (content: unknown) => Promise<ResolvedContent>;
