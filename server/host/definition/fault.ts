import type { Problem } from "../../../shared/contract/problem.ts";
import { type Path, pathText } from "./path.ts";

/** A fault in a definition, before it is known where in a text it stands. `on` says whether the key or its value is at fault. */
export interface Fault {
  readonly path: Path;
  readonly message: string;
  readonly on?: "key" | "value";
}

/** A fault as the wire carries it, for a definition that has no text. */
export const problemOf = ({ path, message }: Fault): Problem => ({ path: pathText(path), message });
