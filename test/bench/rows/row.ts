/** One line of the table. `aim` is what the figure should be, "" where there is no aim. */
export interface Row {
  readonly figure: string;
  readonly aim: string;
  readonly measured: string;
}

/** How often something is done, of the times that a good figure takes: fewer with `--quick`, which only shows that all of it runs. */
export type HowOften = (times: number) => number;

/** One benchmark: `npm run bench -- NAME`. */
export interface Bench {
  readonly name: string;
  /** What its rows are about; those of one title stand in one table. */
  readonly title: string;
  run(howOften: HowOften): Promise<Row[]>;
}

/** Rows under a title. */
export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A table for each title, in the order in which they first come. */
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
