import { isRecord, type JsonRecord, ownValue } from "../../../shared/json-record.ts";
import type { Path } from "../definition/path.ts";
import type { ResolvedContent } from "../definition/resolved-content.ts";
import { asList, asRecord, asText } from "../definition/unchecked-json.ts";
import type { ValidationProblem } from "../definition/validation-problem.ts";
import type { AgentFile } from "./agent-file.ts";
import { ParticipantReferences, REFERENCE_KEYS, TeamReferences } from "./agent-reference.ts";
import type { Loaded, LoadedReferences } from "./load-references.ts";
import { type SkillFile, skillsText } from "./skill-file.ts";
import { mapTools, READING_TOOLS } from "./tool-names.ts";

/** What came of a team so far. */
class Outcome {
  readonly problems: ValidationProblem[] = [];
  readonly notes: ValidationProblem[] = [];
}

interface Around {
  readonly files: LoadedReferences;
  /** The tools that there are. */
  readonly tools: readonly string[];
}

/** @param tools the names of the tools that there are. */
export function resolveReferences(
  content: unknown,
  files: LoadedReferences,
  tools: readonly string[],
): ResolvedContent {
  const outcome = new Outcome();
  const resolved = resolveTeam(content, { files, tools }, [], outcome);
  return { content: resolved, problems: outcome.problems, notes: outcome.notes };
}

function resolveTeam(value: unknown, around: Around, path: Path, outcome: Outcome): unknown {
  if (!isRecord(value) || !Array.isArray(value["participants"])) return value;
  checkShape(value, TeamReferences.shape, path, outcome);
  const shared = sharedTexts(value, around, path, outcome);
  const names = value["participants"].map((one) => nameOf(asRecord(one), around));
  const participants = value["participants"].map((one: unknown, at) =>
    isRecord(one)
      ? resolveParticipant(one, { team: value, names, shared, around, path: [...path, "participants", at] }, outcome)
      : one,
  );
  return { ...without(value), participants };
}

interface InTeam {
  readonly team: JsonRecord;
  readonly names: readonly (string | undefined)[];
  /** What all assistants of the team are told. */
  readonly shared: Texts;
  readonly around: Around;
  readonly path: Path;
}

function resolveParticipant(participant: JsonRecord, place: InTeam, outcome: Outcome): JsonRecord {
  const { around, path, shared } = place;
  checkShape(participant, ParticipantReferences.shape, path, outcome);
  const written = asText(participant["agent"]);
  const file = written === undefined ? undefined : found(around.files.agents, written, [...path, "agent"], outcome);
  const own = sharedTexts(participant, around, path, outcome);
  const isAssistant = (asText(participant["kind"]) ?? "assistant") === "assistant" && participant["team"] === undefined;
  const fromFile = file === undefined ? {} : fromAgent(file, participant, place, outcome);
  const { instructions, ...kept } = { ...fromFile, ...without(participant) };
  const all = isAssistant ? shared : { texts: [], skills: [] };
  const skills = [...all.skills, ...own.skills];
  const texts = [
    file?.instructions,
    asText(participant["instructions"]),
    ...all.texts,
    ...own.texts,
    ...(skills.length === 0 ? [] : [skillsText(skills)]),
  ].filter((text) => text !== undefined && text !== "");
  const isPlain = file === undefined && texts.length === (instructions === undefined ? 0 : 1);
  const inner = participant["team"];
  return {
    ...kept,
    ...(isPlain ? (instructions === undefined ? {} : { instructions }) : { instructions: texts.join("\n\n") }),
    ...(skills.length === 0 ? {} : { tools: withReading(kept["tools"]) }),
    ...(inner === undefined ? {} : { team: resolveTeam(inner, around, [...path, "team"], outcome) }),
  };
}

/** What an agent file gives where the team file says nothing itself. */
function fromAgent(
  file: AgentFile,
  participant: JsonRecord,
  { team, names, around, path }: InTeam,
  outcome: Outcome,
): JsonRecord {
  const note = (message: string): void =>
    void outcome.notes.push({ path: [...path, "agent"], message: `${asText(participant["agent"])}: ${message}.` });
  for (const part of file.leftOut) note(part);
  const servers = asRecord(team["mcpServers"]);
  const { tools, leftOut } = mapTools(file.tools ?? READING_TOOLS, around.tools, (server) =>
    Object.hasOwn(servers, server),
  );
  if (participant["tools"] === undefined) {
    for (const part of leftOut) note(part);
    if (file.tools === undefined)
      note("it names no tools, so it reads files only; name others in the participant's tools");
  }
  const hasModel = file.model !== undefined && ownValue(asRecord(team["models"]), file.model) !== undefined;
  if (file.model !== undefined && !hasModel && participant["model"] === undefined)
    note(`the model "${file.model.slice(0, 80)}" is not taken over; add it to models, or the team's model is used`);
  const handoffs = file.handoffs.filter(({ target }) => names.includes(target));
  const hands = team["kind"] === "swarm" && handoffs.length > 0;
  if (file.handoffs.length > handoffs.length || (file.handoffs.length > 0 && !hands))
    note("its handoffs are not taken over");
  return {
    name: file.name,
    ...(file.description === undefined ? {} : { description: file.description }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(hasModel ? { model: file.model } : {}),
    ...(hands ? { handoffs } : {}),
  };
}

interface Texts {
  readonly texts: readonly string[];
  readonly skills: readonly SkillFile[];
}

/** The instruction files and skills of a team or a participant. */
function sharedTexts(holder: JsonRecord, { files }: Around, path: Path, outcome: Outcome): Texts {
  const texts = asList(holder["instructionFiles"]).flatMap((written, at) => {
    const name = asText(written);
    if (name === undefined) return [];
    const text = found(files.texts, name, [...path, "instructionFiles", at], outcome);
    return text === undefined ? [] : [instructionsText(name, text)];
  });
  const skills = asList(holder["skills"]).flatMap((written, at) => {
    const name = asText(written);
    if (name === undefined) return [];
    const folder = found(files.skills, name, [...path, "skills", at], outcome);
    for (const why of folder?.unreadable ?? [])
      outcome.notes.push({ path: [...path, "skills", at], message: `The team runs without a skill: ${why}.` });
    return folder?.skills ?? [];
  });
  return { texts, skills };
}

/** An AGENTS.md holds for its folder, and one in a folder below comes first there. */
function instructionsText(path: string, text: string): string {
  const isNested = /(?:^|\/)AGENTS\.md$/.test(path);
  const nearest = isNested
    ? "\n\nA folder may have an AGENTS.md of its own: before you change files in it, read the nearest one with readFile; it comes first there."
    : "";
  return `Instructions from ${path}:\n\n${text}${nearest}`;
}

function found<T>(
  files: ReadonlyMap<string, Loaded<T>>,
  written: string,
  path: Path,
  { problems }: Outcome,
): T | undefined {
  const file = files.get(written);
  if (file?.ok === true) return file.value;
  problems.push({ path, message: file?.problem ?? "cannot be read here; open the team from its file" });
  return undefined;
}

const withReading = (tools: unknown): unknown =>
  tools === undefined || Array.isArray(tools) ? [...new Set([...asList(tools), "readFile"])] : tools;

const without = (holder: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(holder).filter(([key]) => !REFERENCE_KEYS.some((one) => one === key)));

/** The name that a participant will have. */
function nameOf(participant: JsonRecord, { files }: Around): string | undefined {
  const file = files.agents.get(asText(participant["agent"]) ?? "");
  return asText(participant["name"]) ?? (file?.ok === true ? file.value.name : undefined);
}

/** Reports a reference that is no path or no list of paths. */
function checkShape(
  holder: JsonRecord,
  shape: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>>,
  path: Path,
  { problems }: Outcome,
): void {
  for (const [key, schema] of Object.entries(shape)) {
    if (holder[key] === undefined || schema.safeParse(holder[key]).success) continue;
    const message = key === "agent" ? "should be the path of an agent file" : "should be a list of 1 to 20 paths";
    problems.push({ path: [...path, key], message });
  }
}
