import { modelText, quoted, type TeamModel } from "./team-model-text.ts";
import type { TeamPattern } from "./team-pattern.ts";

export const teamPatterns: readonly TeamPattern[] = [
  {
    id: "oneAgent",
    label: "One Agent",
    detail: "Works on your task alone, and then it is your turn.",
    names: ["assistant"],
    least: 1,
  },
  {
    id: "authorAndReviewer",
    label: "Author and Reviewer",
    detail: "One makes the change, the other checks it, until it is approved.",
    names: ["author", "reviewer"],
    least: 2,
  },
  {
    id: "roundRobin",
    label: "Everyone in Turn",
    detail: "All speak in the order of the list (round robin).",
    names: ["planner", "author", "tester"],
    least: 2,
  },
  {
    id: "selector",
    label: "A Model Selects the Next Speaker",
    detail: "After each message a model decides who has most to add (selector).",
    names: ["analyst", "author", "tester"],
    least: 2,
  },
  {
    id: "swarm",
    label: "Agents Hand Over to Each Other",
    detail: "Each decides itself who continues (swarm).",
    names: ["triage", "engineer", "writer"],
    least: 2,
  },
  {
    id: "graph",
    label: "One Step After Another",
    detail: "Each step follows the one before, and the last can send the work back to the first (graph).",
    names: ["drafter", "editor", "checker"],
    least: 2,
  },
  {
    id: "magentic",
    label: "An Orchestrator Plans and Assigns",
    detail: "It makes a plan, gives out the work, checks the progress, and answers you (Magentic).",
    names: ["researcher", "engineer"],
    least: 1,
  },
];

const readingTools: readonly string[] = ["listFiles", "readFile", "searchText"];

/** The tools that a new team can have, in the groups in which the user chooses them. */
export const toolGroups: readonly {
  readonly label: string;
  readonly detail: string;
  readonly tools: readonly string[];
}[] = [
  { label: "Read files", detail: "List, read and search the files of the workspace.", tools: readingTools },
  { label: "Edit files", detail: "Each edit asks you first.", tools: ["editFile", "writeFile"] },
  { label: "Run commands", detail: "Each command asks you first.", tools: ["runCommand"] },
  { label: "Read web pages", detail: "Each site asks you first.", tools: ["webFetch"] },
];

export interface NewTeam {
  readonly pattern: TeamPattern;
  readonly names: readonly string[];
  readonly tools: readonly string[];
  /** The model that the file names; the user's default if left out. */
  readonly model?: TeamModel | undefined;
}

/** The names in a text that separates them by commas or spaces. */
export const namesIn = (text: string): readonly string[] => text.split(/[\s,;]+/).filter((name) => name !== "");

/** What is wrong with the names, as a sentence; undefined if nothing is. */
export function namesProblem(names: readonly string[], { least }: TeamPattern): string | undefined {
  if (names.length < least)
    return `Enter at least ${least === 1 ? "one name" : `${least} names, separated by commas`}.`;
  if (names.length > 12) return "Enter at most 12 names.";
  const odd = names.find((name) => !/^[A-Za-z][\w-]{0,63}$/.test(name));
  if (odd !== undefined) return `"${odd}" cannot be a name. Use letters, digits, _ and -, and start with a letter.`;
  const taken = names.find((name, at) => name === "user" || names.indexOf(name) !== at);
  return taken === undefined ? undefined : `"${taken}" is taken. Choose another name.`;
}

/** The file of a new team, without an ending, such as `author-and-reviewer`. */
export const teamFileName = ({ label }: Pick<TeamPattern, "label">): string =>
  label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** The text of a team file. Its names have been checked. */
export function teamText(team: NewTeam): string {
  const { pattern, names, model } = team;
  const participants = names.map((name, at) => participantText(name, at, team));
  return `# ${pattern.detail} Say in the instructions what each participant is to do.

name: ${pattern.label}
kind: ${pattern.id === "oneAgent" || pattern.id === "authorAndReviewer" ? "roundRobin" : pattern.id}

participants:
${participants.join("\n")}
${endText(pattern, names)}${model === undefined ? "" : `\n${modelText(model, pattern, names)}`}`;
}

function participantText(name: string, at: number, { pattern, names, tools }: NewTeam): string {
  const isReviewer = pattern.id === "authorAndReviewer" && at > 0;
  const own = isReviewer ? tools.filter((tool) => readingTools.includes(tool)) : tools;
  const others = names.filter((other) => other !== name);
  return [
    `  - name: ${quoted(name)}`,
    `    description: ${descriptionOf(at, pattern)}`,
    "    instructions: |",
    ...instructionsOf(at, pattern, names).map((line) => `      ${line}`),
    ...(own.length === 0 ? [] : [`    tools: [${own.join(", ")}]`, "    maxToolIterations: 30"]),
    ...(pattern.id === "swarm" ? [`    handoffs: [${others.map(quoted).join(", ")}]`] : []),
    "",
  ].join("\n");
}

function descriptionOf(at: number, { id }: TeamPattern): string {
  if (id === "oneAgent") return "Works on your task";
  if (id === "authorAndReviewer") return at === 0 ? "Makes the change" : "Checks the change, and approves it";
  if (id === "graph") return at === 0 ? "Makes the first version" : "Continues with the work of the one before";
  return "Say in one sentence what this participant is for";
}

function instructionsOf(at: number, { id }: TeamPattern, names: readonly string[]): readonly string[] {
  const last = at === names.length - 1;
  const look = "Look at what matters before you say anything about it.";
  switch (id) {
    case "oneAgent":
      return [`You work on the user's task. ${look}`, "At the end say in a few sentences what you did."];
    case "authorAndReviewer":
      return at === 0
        ? [
            `You make the change that the user asks for. ${look}`,
            `Correct what ${names.slice(1).join(" and ")} may find.`,
          ]
        : ["You check the last change. Name what is wrong.", "Write APPROVED when nothing is, and never otherwise."];
    case "graph":
      return last
        ? ["You check the result. Write REVISE and what to do when it has to go back, otherwise ACCEPTED."]
        : [`You do your step of the user's task. ${look}`];
    case "swarm":
      return ["You do your part of the user's task, and hand over to whoever should continue.", DONE];
    case "roundRobin":
    case "selector":
      return [`You do your part of the user's task. ${look}`, DONE];
    case "magentic":
      return [`You do what the orchestrator asks of you. ${look}`];
  }
}

const DONE = "Write DONE when the whole task is finished, and never otherwise.";

function endText({ id }: TeamPattern, names: readonly string[]): string {
  const [first = "", last = ""] = [names[0], names.at(-1)];
  switch (id) {
    case "oneAgent":
      return `termination:\n  textMessage: { source: ${quoted(first)} } # then it is your turn\n`;
    case "authorAndReviewer":
      return endsWith(`{ text: APPROVED, sources: [${names.slice(1).map(quoted).join(", ")}] }`);
    case "roundRobin":
    case "selector":
    case "swarm":
      return endsWith("{ text: DONE }");
    case "graph": {
      const edges = names.slice(1).map((to, at) => `    - { from: ${quoted(names[at] ?? "")}, to: ${quoted(to)} }`);
      const back = `    - { from: ${quoted(last)}, to: ${quoted(first)}, when: REVISE }`;
      // A graph in which all are in the circle needs its entry.
      return `graph:\n  entry: ${quoted(first)}\n  edges:\n${[...edges, back].join("\n")}\n\nmaxTurns: 20\n`;
    }
    case "magentic":
      return "maxTurns: 20\n";
  }
}

const endsWith = (mention: string): string =>
  `termination:\n  any:\n    - textMention: ${mention}\n    - maxMessages: 30\n`;
