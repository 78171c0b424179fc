/** What a report says beside its rows. */
interface ReportParts {
  /** The sentence when there are no rows. */
  readonly none: string;
  /** How many rows are shown. */
  readonly max: number;
  /** How many more there are than the editor sent. */
  readonly more: number;
  readonly notes: readonly string[];
  /** What a row is, in the singular. */
  readonly what: string;
}

/** Rows for the model, a line each, and notes in brackets. */
export function report(rows: readonly string[], { none, max, more, notes, what }: ReportParts): string {
  const shown = rows.slice(0, max);
  const left = rows.length - shown.length + more;
  const cut = left === 0 ? [] : [`${left} more ${left === 1 ? what : `${what}s`} not shown.`];
  const all = [...(rows.length === 0 ? [none] : shown), ...[...cut, ...notes].map((note) => `[${note}]`)];
  return all.join("\n");
}
