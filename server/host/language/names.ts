import type { ValidationContext } from "../definition/definition-scope.ts";
import { scopeOf } from "../definition/definition-scope.ts";
import { type Path, valueAt } from "../definition/path.ts";
import { asList, asRecord, asText } from "../definition/unchecked-json.ts";

/** A name that a value of a team file can refer to. */
export interface Name {
  readonly name: string;
  /** What has the name, in a few words of the file. */
  readonly detail?: string;
  /** What it is, in sentences of somebody else. */
  readonly description?: string;
}

type Kind = "participant" | "speaker" | "model" | "tool" | "tools" | "capability";

/** Which names a value refers to, by its path in its team: `*` is a position in a list or a key of the author's choice. */
const REFERENCES: Readonly<Record<string, Kind>> = {
  "participants.*.model": "model",
  "models.*.fallback.*": "model",
  "participants.*.tools.*": "tools",
  "participants.*.handoffs.*": "speaker",
  "participants.*.handoffs.*.target": "speaker",
  "participants.*.capabilities.*.kind": "capability",
  "participants.*.capabilities.*.to": "participant",
  "participants.*.capabilities.*.to.*": "participant",
  "monitors.*.capabilities.*.kind": "capability",
  "monitors.*.capabilities.*.to": "participant",
  "monitors.*.capabilities.*.to.*": "participant",
  "termination.textMention.sources.*": "speaker",
  "termination.sourceMatch.sources.*": "speaker",
  "termination.textMessage.source": "speaker",
  "termination.handoff.target": "speaker",
  "termination.functionCall.name": "tool",
  "interrupts.*.when.participant": "participant",
  "interrupts.*.when.participant.*": "participant",
  "interrupts.*.when.message.sources.*": "speaker",
  "interrupts.*.when.tool.name": "tool",
  "interrupts.*.when.tool.name.*": "tool",
  "selector.model": "model",
  "selector.rules.*.after": "speaker",
  "selector.rules.*.after.*": "speaker",
  "selector.rules.*.choose": "participant",
  "selector.rules.*.choose.*": "participant",
  "magentic.model": "model",
  "graph.entry": "participant",
  "graph.entry.*": "participant",
  "graph.edges.*.from": "participant",
  "graph.edges.*.to": "participant",
  "models.*.lines.*.*.calls.*.tool": "tool",
  "models.*.asked.*.*.calls.*.tool": "tool",
};

/** Which names the keys of a map are. */
const KEYS: Readonly<Record<string, Kind>> = { "models.*.lines": "participant", "models.*.asked": "participant" };

/** The names that the value at a path can refer to; undefined if it is no reference. */
export const namesAt = (content: unknown, path: Path, around: ValidationContext): readonly Name[] | undefined =>
  namesOf(REFERENCES, content, path, around);

/** The names that the keys of the map at a path can be; undefined if they are no references. */
export const keyNamesAt = (content: unknown, path: Path, around: ValidationContext): readonly Name[] | undefined =>
  namesOf(KEYS, content, path, around);

function namesOf(
  table: Readonly<Record<string, Kind>>,
  content: unknown,
  path: Path,
  around: ValidationContext,
): readonly Name[] | undefined {
  const depth = teamDepth(path);
  const pattern = patternOf(path.slice(depth));
  const kind = Object.hasOwn(table, pattern) ? table[pattern] : undefined;
  return kind === undefined ? undefined : names(kind, content, path.slice(0, depth), around);
}

/** How many steps of a path lead to the innermost team. */
function teamDepth(path: Path): number {
  const last = path.findLastIndex((step, at) => step === "team" && path[at - 2] === "participants");
  return last + 1;
}

/** The path with `*` for positions and for keys of the author's choice, and without combined conditions. */
function patternOf(path: Path): string {
  const steps = path.map((step, at) => {
    const above = path[at - 1];
    const isChosen = above === "models" || above === "lines" || above === "asked";
    return typeof step === "number" || isChosen ? "*" : String(step);
  });
  return steps.join(".").replaceAll(/\.(?:any|all)\.\*/g, "");
}

function names(kind: Kind, content: unknown, teamPath: Path, around: ValidationContext): readonly Name[] {
  const team = asRecord(valueAt(content, teamPath));
  const participants = asList(team["participants"]).map(asRecord).flatMap(named);
  switch (kind) {
    case "participant":
      return participants;
    case "speaker":
      return participants.some(({ name }) => name === around.user)
        ? participants
        : [...participants, { name: around.user, detail: "You" }];
    case "model":
      return Object.entries(scopeOf(team, around, outerModels(content, teamPath)).models).map(modelName);
    case "tool":
    case "tools":
      return [
        ...around.tools.map((name) => ({ name })),
        ...serverTools(scopeOf(asRecord(content), around, {}), kind === "tools"),
        ...extensionTools(around),
      ];
    case "capability":
      return [
        { name: "interrupt", detail: "Interrupt other participants" },
        { name: "reasoning/interrupt", detail: "Interrupt the reasoning of other participants" },
      ];
  }
}

/** Of each MCP server each tool that is known, and `together` all of them. The outermost team has the servers of all. */
function serverTools({ servers = [], serverTools: known = [] }: ValidationContext, together: boolean): readonly Name[] {
  return [...new Set(servers)].flatMap((server) => [
    ...(together ? [{ name: `${server}/*`, detail: "All tools of the MCP server" }] : []),
    ...distinct(known.filter(({ name }) => name.startsWith(`${server}/`))).map(({ name, description }) => {
      const text = plainText(description);
      return { name, detail: "A tool of the MCP server", ...(text === "" ? {} : { description: text }) };
    }),
  ]);
}

/** Servers of one name in several files may have the same tools. */
const distinct = <T extends { readonly name: string }>(tools: readonly T[]): readonly T[] => [
  ...new Map(tools.map((tool) => [tool.name, tool])).values(),
];

/** What a server says of a tool, without control characters. */
const plainText = (text: string): string =>
  text
    .replace(/[^\P{C}\n]/gu, "")
    .trim()
    .slice(0, MAX_DESCRIPTION);

function extensionTools({ extensionTools: known }: ValidationContext): readonly Name[] {
  return (known?.names ?? []).map((name) => {
    const description = known?.description(name)?.trim().slice(0, MAX_DESCRIPTION) ?? "";
    return description === "" ? { name } : { name, description };
  });
}

/** How much of what a tool says of itself is shown, in characters. */
const MAX_DESCRIPTION = 1000;

/** The models of the teams around a nested one. */
function outerModels(content: unknown, teamPath: Path): ReturnType<typeof asRecord> {
  if (teamPath.length === 0) return {};
  const above = teamPath.slice(0, teamDepth(teamPath.slice(0, -1)));
  const team = asRecord(valueAt(content, above));
  return scopeOf(team, { tools: [], hasDefaultModel: false, user: "" }, outerModels(content, above)).models;
}

function named({ name, description, kind }: ReturnType<typeof asRecord>): Name[] {
  const text = asText(name);
  if (text === undefined) return [];
  const detail = asText(description) ?? asText(kind);
  return [{ name: text, ...(detail === undefined ? {} : { detail }) }];
}

function modelName([name, settings]: readonly [string, unknown]): Name {
  const { provider, model, deployment } = asRecord(settings);
  const detail = [provider, model ?? deployment].flatMap((part) => asText(part) ?? []).join(" · ");
  return { name, ...(detail === "" ? {} : { detail }) };
}
