import { talkers } from "./long-team.ts";
import type { Bench, Row } from "./row.ts";

const TURNS: readonly number[] = [20, 40, 80];

/** What a team's whole state weighs as JSON. */
export const savedState: Bench = {
  name: "saved-state",
  async run() {
    const sizes = await Promise.all(TURNS.map(savedSize));
    const totals = sizes.map((size) => (size / 1000).toFixed(1)).join(", ");
    const perTurn = sizes.map((size, at) => Math.round(size / (TURNS[at] ?? 1))).join(", ");
    const row: Row = {
      figure: `saved state at ${TURNS.join(", ")} turns of 40 chunks, two agents`,
      aim: "flat for each turn; below LangGraph's 83, 299, 1135 kB",
      measured: `${totals} kB: ${perTurn} bytes a turn`,
    };
    return [row];
  },
};

async function savedSize(turns: number): Promise<number> {
  const team = talkers(turns);
  await team.run("Talk.");
  return JSON.stringify(team.save()).length;
}
