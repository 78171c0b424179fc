import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { sourceFiles } from "../source-files.ts";

/** An import as it is written: the specifier and its line, counted from 1. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** A source file, as a path from the project's root with `/`, and all that it imports. */
export interface FileImports {
  readonly file: string;
  readonly imports: readonly Import[];
}

/** The imports of every TypeScript file in these folders. */
export function importsIn(projectRoot: string, folders: readonly string[]): FileImports[] {
  return folders
    .flatMap((folder) => sourceFiles(projectRoot, folder))
    .map((file) => ({ file, imports: importsOf(readFileSync(join(projectRoot, file), "utf8")) }));
}

/** The path, from the project's root, of a relative import; undefined for a package. */
export function resolveImport(file: string, specifier: string): string | undefined {
  return specifier.startsWith(".") ? posix.join(dirname(file), specifier) : undefined;
}

/** Statements (`import … from`, `export … from`, `import "…"`), then calls and types (`import("…")`, `require("…")`). */
const importPatterns: readonly RegExp[] = [
  /^[ \t]*(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"']+)["']/gm,
  /^[ \t]*import\s*["']([^"']+)["']/gm,
  /\b(?:import|require)\s*\(\s*["'`]([^"'`]+)["'`]/g,
];

/** Every import of a source text, type imports included, by line. Comments are ignored. */
export function importsOf(source: string): Import[] {
  const code = withoutComments(source);
  return importPatterns
    .flatMap((pattern) => [...code.matchAll(pattern)])
    .map((match) => ({ specifier: match[1] ?? "", line: lineOf(code, match.index + match[0].length) }))
    .sort((a, b) => a.line - b.line);
}

/** Replaces comments with spaces and keeps line breaks, so that lines still count. `//` in a string is not a comment. */
function withoutComments(source: string): string {
  return source.replace(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (text, literal: string | undefined) => literal ?? text.replace(/[^\n]/g, " "),
  );
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
