import type { ModelDefinition } from "../../shared/contract/definition.ts";
import type { TeamPattern } from "./team-pattern.ts";

/** The model that a new team file names: one of the user's, or the practice model, which plays lines without a key. */
export type TeamModel = ModelDefinition | "practice";

/** Whether the practice model can play a new team: there, no model selects, plans or hands over. */
export const canPractice = ({ id }: Pick<TeamPattern, "id">): boolean => id !== "selector" && id !== "magentic";

/** The `models` of a team file. */
export function modelText(model: TeamModel, pattern: Pick<TeamPattern, "id">, names: readonly string[]): string {
  return model === "practice" ? practiceText(pattern, names) : `models:\n  default: ${flow(model)}\n`;
}

/** A value as YAML in one line, which JSON is, with plain keys. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value === "string") return /^[A-Za-z][\w.-]*$/.test(value) ? quoted(value) : JSON.stringify(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{ ${entries.map(([key, each]) => `${/^[A-Za-z]\w*$/.test(key) ? key : JSON.stringify(key)}: ${flow(each)}`).join(", ")} }`;
}

function practiceText({ id }: Pick<TeamPattern, "id">, names: readonly string[]): string {
  const lines = names.map((name, at) => `      ${quoted(name)}:\n        - ${JSON.stringify(lineOf(id, at, names))}`);
  return `# The practice model is not a real one: it plays these lines, and needs no key. Remove all below to use your own model.
models:
  default:
    provider: practice
    lines:
${lines.join("\n")}
`;
}

function lineOf(id: TeamPattern["id"], at: number, names: readonly string[]): string {
  const isLast = at === names.length - 1;
  const mine = "This line is in the team file. A real model would do its part of your task here.";
  switch (id) {
    case "authorAndReviewer":
      return at === 0 ? mine : "A real model would check the change here. APPROVED";
    case "graph":
      return isLast ? "A real model would check the result here. ACCEPTED" : mine;
    case "roundRobin":
    case "selector":
      return isLast ? "A real model would finish the task here. DONE" : mine;
    case "swarm":
      return at === 0 ? `${mine} It could hand over to ${names[1] ?? ""}. DONE` : mine;
    case "oneAgent":
    case "magentic":
      return mine;
  }
}

/** Some names are no text in YAML, such as `null`. */
export const quoted = (name: string): string =>
  /^(?:true|false|null|yes|no|on|off|y|n)$/i.test(name) ? JSON.stringify(name) : name;

/** A drafted file with a model, unless it names its models itself. */
export const withModel = (text: string, model: ModelDefinition): string =>
  /^models:/m.test(text) ? text : `${text}\nmodels:\n  default: ${flow(model)}\n`;
