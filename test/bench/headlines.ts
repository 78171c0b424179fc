import type { Row, Table } from "./rows/row.ts";

/** A row that the README shows: found by the start of its table's title and of its figure, with the text to show. */
interface Headline {
  readonly title: string;
  readonly figure: string;
  readonly text: string;
}

const HEADLINES: readonly Headline[] = [
  {
    title: "The time of a turn",
    figure: "one agent: engine in process",
    text: "A turn of 40 chunks, engine in process, over a bare `openai` loop",
  },
  {
    title: "The time of a turn",
    figure: "one agent: through the host",
    text: "The same turn through the host: JSON-RPC, storage and events included",
  },
  {
    title: "From an interrupt",
    figure: "acknowledged",
    text: "Interrupt acknowledged, while 1 / 8 / 32 teams stream",
  },
  {
    title: "From an interrupt",
    figure: "the model's connection closed",
    text: "Model's connection closed after an interrupt, likewise",
  },
  {
    title: "From an abort",
    figure: "engine in process",
    text: "From an abort to the end of the turn, while 1 / 8 / 32 turns stream",
  },
  {
    title: "A team that gets old",
    figure: "turn 10,000 over turn 100, through the host",
    text: "Time of turn 10,000 over turn 100, storage included",
  },
  {
    title: "A team that gets old",
    figure: "reopening a team of 100,000 events over one of 100: its last page",
    text: "Reopening a team of 100,000 events over one of 100",
  },
  { title: "Start and size", figure: "host ready", text: "Host ready" },
];

/** The rows that the README shows. A row that was not measured says so. */
export function headlines(tables: readonly Table[]): Row[] {
  return HEADLINES.map(({ title, figure, text }) => {
    const row = tables
      .filter((table) => table.title.startsWith(title))
      .flatMap(({ rows }) => rows)
      .find((candidate) => candidate.figure.startsWith(figure));
    return { figure: text, aim: row?.aim ?? "", measured: row?.measured ?? "not measured" };
  });
}
