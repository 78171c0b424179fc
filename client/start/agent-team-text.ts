import type { FoundAgent } from "../../shared/contract/requests.ts";

export interface AgentTeam {
  readonly kind: "roundRobin" | "selector" | "magentic";
  readonly agents: readonly FoundAgent[];
  readonly instructionFiles: readonly string[];
  readonly skills: readonly string[];
}

/** The text of a team file with agents of other tools: by reference, and written out where they are in no workspace. */
export function agentTeamText({ kind, agents, instructionFiles, skills }: AgentTeam): string {
  const names = new Set<string>();
  const participants = agents.map((agent) => {
    const name = freeName(String(agent.participant?.["name"] ?? "agent"), names);
    return participantText(agent, name);
  });
  return [
    "# The agents are read from their files when the team opens. What is not taken over is told at each of them.",
    "",
    "name: My Agents",
    `kind: ${kind}`,
    ...list("instructionFiles", instructionFiles),
    ...list("skills", skills),
    "",
    "participants:",
    ...participants,
    ...(kind === "magentic"
      ? ["maxTurns: 20"]
      : [
          "termination:",
          "  any:",
          "    - textMention: { text: DONE }",
          `    - maxMessages: ${Math.max(10, agents.length * 3)}`,
        ]),
    "",
  ].join("\n");
}

const list = (key: string, paths: readonly string[]): string[] =>
  paths.length === 0 ? [] : [`${key}: [${paths.map(word).join(", ")}]`];

function participantText({ reference, participant = {}, leftOut }: FoundAgent, name: string): string {
  const notes = leftOut.slice(0, 10).map((note) => `    # ${oneLine(note)}`);
  if (reference !== undefined) {
    const renamed = participant["name"] === name ? [] : [`    name: ${word(name)}`];
    return [`  - agent: ${word(reference)}`, ...renamed, ...notes].join("\n");
  }
  const fields = Object.entries({ ...participant, name }).map(([key, value], at) => {
    const start = at === 0 ? "  - " : "    ";
    return `${start}${key}: ${JSON.stringify(value)}`;
  });
  return [...fields, ...notes].join("\n");
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted}${count}`;
  taken.add(name);
  return name;
}

/** Not the letters by which a comment could end or hide what follows. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 300);

const word = (text: string): string => (/^[\w./-]+$/.test(text) && /[a-z]/i.test(text) ? text : JSON.stringify(text));
