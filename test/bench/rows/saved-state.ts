import { messageOf } from "../../../shared/contract/errors.ts";
import { engineKeeper, heldAfter, type KeeperModule, langGraphKeeper } from "../keepers/held-after.ts";
import type { Bench, Row } from "./row.ts";
import { absentRow } from "./turn.ts";

const TURNS: readonly number[] = [20, 40, 80];

/** AutoGen's `save_state` of such a talk in kB, as the project's design quotes it: it is Python, and is not run here. */
const AUTOGEN_KB: readonly number[] = [17, 33, 66];

/** What is saved of a team, as its bytes. */
export const savedState: Bench = {
  name: "saved-state",
  title: `Saved state at ${TURNS.join(" / ")} turns of 40 chunks, two agents`,
  async run() {
    const aim = "flat for each turn; below LangGraph and AutoGen";
    return [
      await savedRow(engineKeeper, aim),
      await langGraphRow(),
      {
        figure: "AutoGen's save_state, quoted from the design, not measured in this run",
        aim: "",
        measured: told(AUTOGEN_KB.map((kb) => kb * 1000)),
      },
    ];
  },
};

async function savedRow(keeper: KeeperModule, aim: string): Promise<Row> {
  const sizes: number[] = [];
  for (const turns of TURNS) sizes.push((await heldAfter(keeper, turns)).savedBytes);
  return { figure: keeper.label, aim, measured: told(sizes) };
}

async function langGraphRow(): Promise<Row> {
  try {
    return await savedRow(await langGraphKeeper(), "");
  } catch (error) {
    return absentRow("LangGraph, MemorySaver", "", messageOf(error));
  }
}

function told(sizes: readonly number[]): string {
  const totals = sizes.map((size) => (size / 1000).toFixed(size < 100_000 ? 1 : 0)).join(" / ");
  const perTurn = sizes.map((size, at) => Math.round(size / (TURNS[at] ?? 1)).toLocaleString("en")).join(" / ");
  return `${totals} kB: ${perTurn} bytes a turn`;
}
