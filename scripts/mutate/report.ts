import type { Mutant } from "./mutants.ts";

export type Outcome =
  /** A test failed. */
  | "killed"
  /** The tests did not end in time, as in an endless loop. */
  | "timedOut"
  /** All tests passed. */
  | "survived"
  /** No test runs the code. */
  | "notCovered";

export interface Result {
  readonly mutant: Mutant;
  readonly outcome: Outcome;
  /** The test that noticed it. */
  readonly by?: string | undefined;
}

interface Score {
  readonly of: string;
  readonly killed: number;
  readonly all: number;
}

/** The folder whose score a file counts for, such as server/host/store or server/engine/log; shared/ is one. */
function groupOf(file: string): string {
  const parts = file.split("/");
  return parts.slice(0, parts[0] === "shared" ? 1 : Math.min(3, parts.length - 1)).join("/");
}

function scores(results: readonly Result[]): Score[] {
  const groups = Map.groupBy(results, ({ mutant }) => groupOf(mutant.file));
  return [...groups]
    .map(([of, own]) => ({
      of,
      killed: own.filter(({ outcome }) => outcome === "killed" || outcome === "timedOut").length,
      all: own.length,
    }))
    .sort((a, b) => a.of.localeCompare(b.of));
}

const percent = ({ killed, all }: Score): string => `${Math.round((100 * killed) / all)} %`;

/** The mutants that no test noticed, one in a line, and the scores as a Markdown table. */
export function report(results: readonly Result[], texts: ReadonlyMap<string, string>): string {
  const alive = results.filter(({ outcome }) => outcome === "survived" || outcome === "notCovered");
  const lines = alive.map(({ mutant, outcome }) => {
    const was = texts.get(mutant.file)?.slice(mutant.start, mutant.end) ?? "";
    const how = outcome === "survived" ? "survives" : "no test runs it";
    return `${mutant.file}:${mutant.line}  ${how}: ${short(was)} → ${short(mutant.replacement)}`;
  });
  const groups = scores(results);
  const killed = groups.reduce((sum, score) => sum + score.killed, 0);
  const all: Score = { of: "all", killed, all: results.length };
  const rows = [...groups, all].map((score) => `| ${score.of} | ${score.killed} of ${score.all} | ${percent(score)} |`);
  return [...lines, "", "| Folder | Mutants killed | Score |", "|---|---|---|", ...rows].join("\n");
}

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
};
