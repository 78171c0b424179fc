import { engineContender, hostContender, wholeLineup } from "../contenders/lineup.ts";
import { runRace } from "../contenders/race.ts";
import { CONVERSATION_TURNS } from "../contenders/work.ts";
import { slashed } from "../statistics.ts";
import type { Bench } from "./row.ts";
import { absentRow, turn } from "./turn.ts";

const AGENTS: readonly number[] = [2, 5, 20];

/**
 * A conversation of several agents, each shown all earlier messages. LangGraph's is a ring of nodes; in the other peers a
 * model would choose the speaker, so theirs is a plain loop over their agents, like the bare one.
 */
export const conversation: Bench = {
  name: "conversation",
  title: turn.title,
  async run(howOften) {
    const { present, absent } = await wholeLineup();
    const raced = await runRace({
      lineup: present,
      tasks: AGENTS.map((agents) => ({ kind: "conversation", agents })),
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
  const isGavel = label === engineContender.label || label === hostContender.label;
  const means = isGavel || label.includes("langgraph") ? "" : " (a loop over its agents)";
  return `${AGENTS.join(" / ")} agents in a conversation of ${CONVERSATION_TURNS} turns: ${label}${means}`;
}

const aimOf = (label: string): string => (label === engineContender.label ? "below every peer" : "");
