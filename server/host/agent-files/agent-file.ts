import { basename } from "node:path/posix";
import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { asList, asRecord, asText } from "../definition/unchecked-json.ts";
import { AgentFileError, readFields, readFrontMatter } from "./front-matter.ts";

/** An agent as the file of another tool describes it. What it asks for grants nothing: rules and models are the team's. */
export interface AgentFile {
  readonly name: string;
  readonly description?: string;
  readonly instructions: string;
  /** The tools that it names; undefined if it names none. */
  readonly tools?: readonly string[];
  readonly model?: string;
  readonly handoffs: readonly { readonly target: string; readonly description?: string }[];
  /** A clause for each part that is not used. */
  readonly leftOut: readonly string[];
}

/** How much of a name is looked at, in characters: of a participant's, and of a tool's with what it is restricted to. */
const MAX_NAME = 500;
const MAX_TOOL = 1_000;

/** The fields of agents that are used, of all tools. */
const USED = new Set(["name", "description", "tools", "model", "handoffs"]);

/** The fields that mean nothing here, so that nothing is lost without them. */
const MEANINGLESS = new Set([
  "color",
  "icon",
  "version",
  "author",
  "argument-hint",
  "target",
  "license",
  "source",
  "slug",
]);

/** Whether a file has several agents, each with a name: Roo Code's custom modes. */
export const hasModes = (path: string): boolean => /(?:^|\/)(?:\.roomodes|custom_modes\.(?:yaml|json))$/.test(path);

/** Whether a path may be that of an agent file. */
export const isAgentPath = (path: string): boolean => hasModes(path) || /\.md$/i.test(path);

/** The agents of a file. @throws AgentFileError for a file that has none, or that cannot be read. */
export function readAgents(path: string, text: string): readonly AgentFile[] {
  return hasModes(path) ? readModes(text) : [readMarkdownAgent(path, text)];
}

/** VS Code's custom agents and Claude Code's subagents: fields, and instructions below them. */
function readMarkdownAgent(path: string, text: string): AgentFile {
  const { fields, body, lineOf } = readFrontMatter(text);
  const given = asText(fields["name"]) ?? basename(path).replace(/(?:\.agent|\.chatmode)?\.md$/i, "");
  const { description, tools, handoffs } = fields;
  for (const key of ["name", "description"])
    if (fields[key] !== undefined && fields[key] !== null && asText(fields[key]) === undefined)
      throw new AgentFileError(`${key} should be text`, lineOf(key));
  if (body === "") throw new AgentFileError("has no instructions; write them below its fields");
  const model = asText(fields["model"]) ?? asText(asList(fields["model"])[0]);
  return {
    name: participantName(given, lineOf("name")),
    ...(asText(description) === undefined ? {} : { description: asText(description) ?? "" }),
    instructions: body,
    ...(tools === undefined || tools === null ? {} : { tools: namesOf(tools, lineOf("tools")) }),
    ...(model === undefined || model === "inherit" ? {} : { model }),
    handoffs: asList(handoffs)
      .map(asRecord)
      .flatMap(({ agent, label }) => {
        const target = asText(agent);
        const text = asText(label);
        return target === undefined ? [] : [{ target, ...(text === undefined ? {} : { description: text }) }];
      }),
    leftOut: unusedIn(fields),
  };
}

/** Roo Code's custom modes, in YAML or JSON. */
function readModes(text: string): readonly AgentFile[] {
  const { fields, lineOf } = readFields(text);
  const modes = asList(fields["customModes"]);
  if (modes.length === 0) throw new AgentFileError("has no customModes", lineOf("customModes"));
  return modes.slice(0, 100).map((mode) => {
    const { slug, name, roleDefinition, whenToUse, description, groups, customInstructions } = asRecord(mode);
    const instructions = [roleDefinition, customInstructions]
      .flatMap((part) => asText(part)?.trim() || [])
      .join("\n\n");
    const given = asText(slug) ?? asText(name) ?? "";
    if (instructions === "")
      throw new AgentFileError(`the mode "${given.slice(0, 80)}" has no roleDefinition`, lineOf("customModes"));
    const purpose = asText(whenToUse) ?? asText(description) ?? asText(name);
    const limited = asList(groups).some((group) => Array.isArray(group));
    return {
      name: participantName(given, lineOf("customModes")),
      ...(purpose === undefined ? {} : { description: purpose }),
      instructions,
      tools: asList(groups).flatMap((group) => asText(Array.isArray(group) ? group[0] : group) ?? []),
      handoffs: [],
      leftOut: limited ? ["the files that a group is restricted to; your approval rules hold"] : [],
    };
  });
}

/** The name as a participant can have it. @throws AgentFileError for one without a letter. */
function participantName(given: string, line = 1): string {
  const name = given
    .slice(0, MAX_NAME)
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}_-]+/gu, "-")
    .replace(/^[^\p{L}_]+|-+$/gu, "")
    .slice(0, 64);
  if (name === "" || name === "user")
    throw new AgentFileError("has no name that a participant can have; add one", line);
  return name;
}

/** A list of names, or names in one text with commas between them. */
function namesOf(value: unknown, line: number): readonly string[] {
  const names: readonly unknown[] =
    typeof value === "string" ? splitNames(value) : Array.isArray(value) ? value : [value];
  if (!names.every((name) => typeof name === "string")) throw new AgentFileError("tools should be names", line);
  return names.flatMap((name) => asText(name)?.slice(0, MAX_TOOL).trim() || []).slice(0, 200);
}

/** Commas within parentheses belong to a name: `Bash(git add:*, git status)`. */
function splitNames(text: string): readonly string[] {
  const names: string[] = [];
  let start = 0;
  let isWithin = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") isWithin = true;
    else if (text[at] === ")") isWithin = false;
    else if (text[at] === "," && !isWithin) {
      names.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...names, text.slice(start)];
}

const unusedIn = (fields: JsonRecord): readonly string[] =>
  Object.entries(fields)
    .filter(([key, value]) => !USED.has(key) && !MEANINGLESS.has(key) && !isEmpty(value))
    .slice(0, 20)
    .map(([key]) => `"${key.slice(0, 60)}" is not used`);

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0);
