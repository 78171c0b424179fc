import { type Program, readProgram } from "./program.ts";
import { TABLES } from "./tables.ts";

/** Read with the first command that is judged: a host that only starts needs none. */
let known: ReadonlyMap<string, Program> | undefined;

function readPrograms(): ReadonlyMap<string, Program> {
  const programs = Object.values(TABLES).flat().map(readProgram);
  return new Map(programs.flatMap((program) => program.names.map((name) => [name, program] as const)));
}

/** A compiler for another machine. */
const COMPILER = /-(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|cpp|ld|as|gfortran|objcopy)$/;

/**
 * What is known of a program's words, from its name without folder and extension. `python3.12` is `python`, `gsed` is `sed`,
 * and `x86_64-linux-gnu-gcc-14` is `gcc`.
 */
export function findProgram(name: string): Program | undefined {
  // No known name is longer, and the expression takes time with the square of the length.
  const plain = name.length > 100 ? name : name.replace(/[-.]?[0-9][0-9.]*$/, "");
  known ??= readPrograms();
  return (
    known.get(name) ??
    known.get(plain) ??
    (plain.startsWith("g") ? known.get(plain.slice(1)) : undefined) ??
    known.get(COMPILER.exec(plain)?.[1] ?? "")
  );
}
