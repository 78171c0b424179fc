import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import type { Path } from "./path.ts";
import { asList, asRecord } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/** The limits on a definition, far beyond any useful team (docs/TEAM-FILES.md, "Limits"). */
export const LIMITS = {
  /** Values in the whole definition: texts, numbers, lists and maps. */
  values: 50_000,
  /** Levels of lists and maps within each other. */
  depth: 100,
  /** Characters of one text. */
  text: 200_000,
  /** Characters of all texts and keys. */
  texts: 2_000_000,
  participants: 200,
  nestedTeams: 10,
  models: 100,
  tools: 200,
  edges: 2_000,
  rules: 500,
  /** Regular expressions of edges and interrupt rules: each takes some milliseconds to compile. */
  patterns: 100,
} as const;

/** A name that plain objects cannot have as a key of their own. */
const FORBIDDEN = "__proto__";

/**
 * Checks the size and the depth of a definition of any shape, and its keys, before anything else is checked. Takes time in
 * proportion to the limits, whatever the size.
 */
export function checkSize(input: unknown): ValidationProblem[] {
  const size = new SizeCheck();
  size.add(input, []);
  return size.problems;
}

/** Checks the lengths of the lists in a definition that has passed {@link checkSize}, and the names in them. */
export const checkLengths = (input: unknown): ValidationProblem[] => checkTeam(asRecord(input), [], 1);

class SizeCheck {
  readonly problems: ValidationProblem[] = [];
  #values = 0;
  #characters = 0;

  /** Stops at the first problem. */
  add(value: unknown, path: Path): void {
    if (this.problems.length > 0) return;
    if (++this.#values > LIMITS.values)
      this.#report([], `has more than ${count(LIMITS.values)} values; make it smaller`);
    else if (path.length > LIMITS.depth)
      this.#report([], `is nested more than ${LIMITS.depth} levels deep; make it flatter`);
    else if (typeof value === "string") this.#addText(value, path);
    else if (typeof value === "object" && value !== null) this.#addParts(value, path);
  }

  #addParts(value: object, path: Path): void {
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length && this.problems.length === 0; at++) this.add(value[at], [...path, at]);
      return;
    }
    for (const key in value) {
      if (this.problems.length > 0) return;
      if (!Object.hasOwn(value, key)) continue;
      const here = [...path, key];
      if (key === FORBIDDEN) this.#report(here, `"${FORBIDDEN}" cannot be a key; choose another name`);
      this.#addText(key, here);
      this.add((value as JsonRecord)[key], here);
    }
  }

  #addText(text: string, path: Path): void {
    this.#characters += text.length;
    if (text.length > LIMITS.text)
      this.#report(path, `has more than ${count(LIMITS.text)} characters; make it shorter`);
    else if (this.#characters > LIMITS.texts)
      this.#report([], `has more than ${count(LIMITS.texts)} characters in all; make its texts shorter`);
  }

  #report(path: Path, message: string): void {
    this.problems.push({ path, message });
  }
}

const count = (limit: number): string => limit.toLocaleString("en-US");

/** The lists of one team that are too long, and its nested teams. */
function checkTeam(team: JsonRecord, path: Path, level: number): ValidationProblem[] {
  if (level > LIMITS.nestedTeams + 1) {
    return [{ path, message: `is a team within more than ${LIMITS.nestedTeams} others; nest fewer teams` }];
  }
  const participants = asList(team["participants"]).map(asRecord);
  const graph = asRecord(team["graph"]);
  const problems = [
    ...tooMany(participants.length, LIMITS.participants, "participants", [...path, "participants"]),
    ...tooMany(Object.keys(asRecord(team["models"])).length, LIMITS.models, "models", [...path, "models"]),
    ...tooMany(asList(graph["edges"]).length, LIMITS.edges, "edges", [...path, "graph", "edges"]),
    ...tooMany(asList(team["interrupts"]).length, LIMITS.rules, "rules", [...path, "interrupts"]),
    ...tooMany(asList(asRecord(team["selector"])["rules"]).length, LIMITS.rules, "rules", [
      ...path,
      "selector",
      "rules",
    ]),
  ];
  problems.push(...tooMany(countPatterns(team), LIMITS.patterns, "regular expressions", path));
  if (problems.length > 0) return problems;
  return participants.flatMap(({ name, tools, handoffs, team: inner }, at) => {
    const here = [...path, "participants", at];
    return [
      ...(name === FORBIDDEN
        ? [{ path: [...here, "name"], message: `"${FORBIDDEN}" cannot be a name; choose another` }]
        : []),
      ...tooMany(asList(tools).length, LIMITS.tools, "tools", [...here, "tools"]),
      ...forbiddenTools(tools, [...here, "tools"]),
      ...tooMany(asList(handoffs).length, LIMITS.participants, "handoffs", [...here, "handoffs"]),
      ...(isRecord(inner) ? checkTeam(inner, [...here, "team"], level + 1) : []),
    ];
  });
}

function countPatterns(team: JsonRecord): number {
  const tests = [...asList(asRecord(team["graph"])["edges"]), ...asList(team["interrupts"])].flatMap((item) => {
    const when = asRecord(asRecord(item)["when"]);
    return [when, asRecord(when["message"]), asRecord(asRecord(when["tool"])["arguments"])];
  });
  return tests.filter(({ matches }) => matches !== undefined).length;
}

const forbiddenTools = (tools: unknown, path: Path): ValidationProblem[] =>
  asList(tools).flatMap((tool, at) =>
    (isRecord(tool) ? tool["name"] : tool) === FORBIDDEN
      ? [{ path: [...path, at], message: `"${FORBIDDEN}" cannot be a name; choose another` }]
      : [],
  );

function tooMany(length: number, limit: number, what: string, path: Path): ValidationProblem[] {
  return length <= limit ? [] : [{ path, message: `has ${count(length)} ${what}; ${count(limit)} are the limit` }];
}
