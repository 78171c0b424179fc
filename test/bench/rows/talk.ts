import { engine, host, wholeLineup } from "../contenders/lineup.ts";
import { race } from "../contenders/race.ts";
import { TALK_TURNS } from "../contenders/work.ts";
import { slashed } from "../statistics.ts";
import type { Bench } from "./row.ts";
import { absentRow, turn } from "./turn.ts";

const AGENTS: readonly number[] = [2, 5, 20];

/**
 * The same among several, each shown all that was said. LangGraph's is a ring of nodes, by its own means; the other peers have
 * a talk of several agents only where a model chooses who speaks, so theirs is a plain loop over their agents, as the bare one.
 */
export const talk: Bench = {
  name: "talk",
  title: turn.title,
  async run(howOften) {
    const { present, absent } = await wholeLineup();
    const raced = await race({
      lineup: present,
      tasks: AGENTS.map((agents) => ({ kind: "talk", agents })),
      warmUp: howOften(3),
      rounds: howOften(8),
      times: 1,
    });
    return [
      ...raced.finishes.map(({ label, ratios }) => ({
        figure: figureOf(label),
        aim: aimOf(label),
        measured: slashed(ratios, "times"),
      })),
      ...[...absent, ...raced.absent].map(({ label, why }) => absentRow(figureOf(label), aimOf(label), why)),
    ];
  },
};

function figureOf(label: string): string {
  const isGavel = label === engine.label || label === host.label;
  const means = isGavel || label.includes("langgraph") ? "" : " (a loop over its agents)";
  return `${AGENTS.join(" / ")} agents in a talk of ${TALK_TURNS} turns: ${label}${means}`;
}

const aimOf = (label: string): string => (label === engine.label ? "below every peer" : "");
