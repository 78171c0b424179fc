import { parseArgs } from "node:util";
import { messageOf } from "../../shared/contract/errors.ts";
import { writeReport } from "./report.ts";
import { abort } from "./rows/abort.ts";
import { activation } from "./rows/activation.ts";
import { branches } from "./rows/branches.ts";
import { completion } from "./rows/completion.ts";
import { conversation } from "./rows/conversation.ts";
import { editorModels } from "./rows/editor-models.ts";
import { hosts } from "./rows/hosts.ts";
import { interruptBench } from "./rows/interrupt.ts";
import { limited } from "./rows/limited.ts";
import { longTeam } from "./rows/long-team.ts";
import { manyTeams } from "./rows/many-teams.ts";
import { mcp } from "./rows/mcp.ts";
import { memory } from "./rows/memory.ts";
import { page } from "./rows/page.ts";
import { ready } from "./rows/ready.ts";
import { reopen } from "./rows/reopen.ts";
import { type Bench, type HowOften, markdownTables, type Row, type Table } from "./rows/row.ts";
import { savedStateBench } from "./rows/saved-state.ts";
import { severalClients } from "./rows/several-clients.ts";
import { sizes } from "./rows/sizes.ts";
import { stalledClient } from "./rows/stalled-client.ts";
import { stalledHost } from "./rows/stalled-host.ts";
import { stores } from "./rows/stores.ts";
import { turn } from "./rows/turn.ts";
import { workers } from "./rows/workers.ts";

const benches: readonly Bench[] = [
  turn,
  conversation,
  branches,
  limited,
  interruptBench,
  abort,
  longTeam,
  reopen,
  memory,
  stalledClient,
  severalClients,
  stores,
  workers,
  hosts,
  manyTeams,
  stalledHost,
  savedStateBench,
  page,
  completion,
  editorModels,
  mcp,
  ready,
  activation,
  sizes,
];

const { values, positionals } = parseArgs({
  options: { update: { type: "boolean", default: false }, quick: { type: "boolean", default: false } },
  allowPositionals: true,
});
const wanted = positionals.length === 0 ? benches : benches.filter(({ name }) => positionals.includes(name));
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  const names = [...new Set(benches.map(({ name }) => name))];
  console.error(`There is no benchmark ${unknown.join(", ")}; there are ${names.join(", ")}.`);
  process.exit(2);
}
if (values.update && (values.quick || positionals.length > 0)) {
  console.error("The report has all figures of one whole run: --update goes without a name, and without --quick.");
  process.exit(2);
}

const howOften: HowOften = (times) => (values.quick ? Math.ceil(times / 10) : times);
const tables: Table[] = [];
for (const bench of wanted) {
  console.error(`Measuring ${bench.name}`);
  const started = performance.now();
  const rows = await bench.run(howOften).catch((error: unknown) => [failed(bench, error)]);
  tables.push({ title: bench.title, rows });
  console.error(`${bench.name} took ${Math.round((performance.now() - started) / 1000)} s`);
}
console.log(markdownTables(tables));
if (values.update) await writeReport(tables);

/** The row of a benchmark that failed, with the reason. */
function failed({ name }: Bench, error: unknown): Row {
  console.error(error);
  return { figure: name, aim: "", measured: `not measured: ${messageOf(error)}` };
}
