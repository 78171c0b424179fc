/** One line of the table. `aim` is design.md's, "" where there is none. */
export interface Row {
  readonly figure: string;
  readonly aim: string;
  readonly measured: string;
}

/** One benchmark: `npm run bench -- NAME`. */
export interface Bench {
  readonly name: string;
  run(): Promise<Row[]>;
}

export function markdownTable(rows: readonly Row[]): string {
  const lines = rows.map(({ figure, aim, measured }) => `| ${figure} | ${aim} | ${measured} |`);
  return ["| figure | aim | measured |", "|---|---|---|", ...lines].join("\n");
}
