import { messageOf } from "../../../shared/contract/errors.ts";
import { engineSaver, langGraphSaver, measureSaver, type SaverModule } from "../savers/measure.ts";
import type { Bench, Row } from "./row.ts";
import { absentRow } from "./turn.ts";

const TURNS: readonly number[] = [20, 40, 80];

/** AutoGen's `save_state` of the same conversation in kB, quoted: it is Python and is not run here. */
const AUTOGEN_KB: readonly number[] = [17, 33, 66];

/** The size of a team's saved state. */
export const savedStateBench: Bench = {
  name: "saved-state",
  title: `Saved state at ${TURNS.join(" / ")} turns of 40 chunks, two agents`,
  async run() {
    const aim = "flat for each turn; below LangGraph and AutoGen";
    return [
      await savedRow(engineSaver, aim),
      await langGraphRow(),
      {
        figure: "AutoGen's save_state (quoted, not measured in this run)",
        aim: "",
        measured: sizesText(AUTOGEN_KB.map((kb) => kb * 1000)),
      },
    ];
  },
};

async function savedRow(saver: SaverModule, aim: string): Promise<Row> {
  const sizes: number[] = [];
  for (const turns of TURNS) sizes.push((await measureSaver(saver, turns)).savedBytes);
  return { figure: saver.label, aim, measured: sizesText(sizes) };
}

async function langGraphRow(): Promise<Row> {
  try {
    return await savedRow(await langGraphSaver(), "");
  } catch (error) {
    return absentRow("LangGraph, MemorySaver", "", messageOf(error));
  }
}

function sizesText(sizes: readonly number[]): string {
  const totals = sizes.map((size) => (size / 1000).toFixed(size < 100_000 ? 1 : 0)).join(" / ");
  const perTurn = sizes.map((size, at) => Math.round(size / (TURNS[at] ?? 1)).toLocaleString("en")).join(" / ");
  return `${totals} kB: ${perTurn} bytes a turn`;
}
