import type { Problem } from "../../../shared/contract/problem.ts";
import { type Path, pathText } from "./path.ts";

/** A problem in a definition, before it is known where in a text it stands. `on` says whether the key or its value is wrong. */
export interface ValidationProblem {
  readonly path: Path;
  readonly message: string;
  readonly on?: "key" | "value";
}

/** A problem as the wire carries it, for a definition that has no text. */
export const toProblem = ({ path, message }: ValidationProblem): Problem => ({ path: pathText(path), message });
