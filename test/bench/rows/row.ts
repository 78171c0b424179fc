/** One line of the table. `aim` is what the figure should be, "" where there is no aim. */
export interface Row {
  readonly figure: string;
  readonly aim: string;
  readonly measured: string;
}

/** How often to repeat a measurement: `times`, or fewer with `--quick`, which only checks that everything runs. */
export type HowOften = (times: number) => number;

/** One benchmark: `npm run bench -- NAME`, which runs all of that name. */
export interface Bench {
  readonly name: string;
  /** The title of its rows' table; benchmarks with the same title share a table. */
  readonly title: string;
  run(howOften: HowOften): Promise<Row[]>;
}

/** Rows under a title. */
export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** One table for each title, in the order of first use. */
export function markdownTables(tables: readonly Table[]): string {
  const byTitle = Map.groupBy(tables, ({ title }) => title);
  return [...byTitle]
    .map(([title, parts]) => `${title}:\n\n${markdownTable(parts.flatMap(({ rows }) => rows))}`)
    .join("\n\n");
}

/** One table. */
export function markdownTable(rows: readonly Row[]): string {
  const lines = rows.map(({ figure, aim, measured }) => `| ${figure} | ${aim} | ${measured} |`);
  return ["| figure | aim | measured |", "|---|---|---|", ...lines].join("\n");
}
