import type { Problem } from "../../../shared/contract/problem.ts";
import { type Path, pathText } from "./path.ts";

/** A problem in a definition, without its position in a file. `on` says whether the key or its value is wrong. */
export interface ValidationProblem {
  readonly path: Path;
  /** May be made when it is read: to find the name that was meant takes long when thousands are unknown. */
  readonly message: string;
  readonly on?: "key" | "value";
}

/** The problem in the protocol's form, for a definition without a file. */
export const toProblem = ({ path, message }: ValidationProblem): Problem => ({ path: pathText(path), message });
