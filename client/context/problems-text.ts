/** A problem that an extension or VS Code reports, with numbers from 1. */
export interface ReportedProblem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning" | "info" | "hint";
  readonly message: string;
  readonly source?: string;
}

/** How many problems are attached; a model needs no more to see what is wrong. */
const MAX_PROBLEMS = 200;

const order: Readonly<Record<ReportedProblem["severity"], number>> = { error: 0, warning: 1, info: 2, hint: 3 };

/** The problems as text, a line each in the form that compilers use, the most severe first. */
export function problemsText(problems: readonly ReportedProblem[]): string {
  const sorted = problems.toSorted((a, b) => order[a.severity] - order[b.severity]);
  const lines = sorted.slice(0, MAX_PROBLEMS).map(({ path, line, column, severity, message, source }) => {
    const text = message.replaceAll(/\s*\n\s*/g, " ");
    return `${path}:${line}:${column}: ${severity}: ${text}${source === undefined ? "" : ` (${source})`}`;
  });
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`and ${more} more`);
  return lines.length === 0 ? "no problems" : lines.join("\n");
}
