import { parseArgs } from "node:util";
import { writeToReadme } from "./readme.ts";
import { abort } from "./rows/abort.ts";
import { activation } from "./rows/activation.ts";
import { interrupt } from "./rows/interrupt.ts";
import { longTeam } from "./rows/long-team.ts";
import { ready } from "./rows/ready.ts";
import { type Bench, markdownTable, type Row } from "./rows/row.ts";
import { savedState } from "./rows/saved-state.ts";
import { sizes } from "./rows/sizes.ts";
import { turn } from "./rows/turn.ts";

const benches: readonly Bench[] = [turn, abort, interrupt, ready, activation, sizes, longTeam, savedState];

const { values, positionals } = parseArgs({
  options: { update: { type: "boolean", default: false } },
  allowPositionals: true,
});
const wanted = positionals.length === 0 ? benches : benches.filter(({ name }) => positionals.includes(name));
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(", ")}; there are ${benches.map(({ name }) => name).join(", ")}.`,
  );
  process.exit(2);
}
if (values.update && positionals.length > 0) {
  console.error("The README shows all figures of one run: --update goes without a name.");
  process.exit(2);
}

const rows: Row[] = [];
for (const bench of wanted) {
  console.error(`measuring ${bench.name}`);
  rows.push(...(await bench.run().catch((error: unknown) => [failed(bench, error)])));
}
const table = markdownTable(rows);
console.log(table);
if (values.update) await writeToReadme(table);

/** A benchmark that could not be run is in the table, with what kept it. */
function failed({ name }: Bench, error: unknown): Row {
  console.error(error);
  return { figure: name, aim: "", measured: `not measured: ${error instanceof Error ? error.message : String(error)}` };
}
