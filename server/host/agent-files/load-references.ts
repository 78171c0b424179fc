import { join } from "node:path/posix";
import { messageOf } from "../../../shared/contract/errors.ts";
import { asList, asRecord, asText } from "../definition/unchecked-json.ts";
import { type AgentFile, hasModes, isAgentPath, readAgents } from "./agent-file.ts";
import type { AgentReader } from "./agent-reader.ts";
import { AgentFileError } from "./front-matter.ts";
import { readSkill, type SkillFile } from "./skill-file.ts";

/** What a reference led to, or a sentence that says why it led to nothing. */
export type Loaded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** The skills that a reference led to, and a sentence for each of them that cannot be read. */
interface SkillFolder {
  readonly skills: readonly SkillFile[];
  readonly unreadable: readonly string[];
}

/** What the references of a team file led to, by what is written in it. */
export interface LoadedReferences {
  readonly agents: ReadonlyMap<string, Loaded<AgentFile>>;
  readonly texts: ReadonlyMap<string, Loaded<string>>;
  readonly skills: ReadonlyMap<string, Loaded<SkillFolder>>;
}

/** The most references of a team file, of each sort. */
const MAX_REFERENCES = 200;

/** The references in a team and its nested teams. */
interface Named {
  readonly agents: Set<string>;
  readonly texts: Set<string>;
  readonly skills: Set<string>;
}

/** Reads what a team file's content names. Never throws. */
export async function loadReferences(content: unknown, reader: AgentReader): Promise<LoadedReferences> {
  const named = namedIn(content);
  return {
    agents: await loaded(named.agents, (written) => readAgent(written, reader)),
    texts: await loaded(named.texts, (path) => readInstructions(path, reader)),
    skills: await loaded(named.skills, (folder) => readSkills(folder, reader)),
  };
}

async function readAgent(written: string, reader: AgentReader): Promise<AgentFile> {
  const [, path = "", mode] = /^([^#]*)(?:#(.*))?$/s.exec(written) ?? [];
  if (!isAgentPath(path)) throw new Error(`"${path}" is no agent file; name a Markdown file or .roomodes`);
  const text = await reader.read(path);
  const agents = within(path, () => readAgents(path, text));
  const names = agents.map(({ name }) => name).join(", ");
  if (mode === undefined && hasModes(path) && agents.length > 1)
    throw new Error(`"${path}" has several agents; name one of them, as in ${path}#${agents[0]?.name}`);
  const found = mode === undefined ? agents[0] : agents.find(({ name }) => name === mode);
  if (found === undefined) throw new Error(`"${path}" has no agent "${mode}"; it has ${names}`);
  return found;
}

async function readInstructions(path: string, reader: AgentReader): Promise<string> {
  if (!/\.(?:md|mdc|txt)$/i.test(path)) throw new Error(`"${path}" is no text for models; name a .md or .txt file`);
  const text = await reader.read(path);
  return within(path, () => (path.endsWith(".md") ? withoutFields(text) : text).trim());
}

/** The fields of a file are for other tools. */
const withoutFields = (text: string): string => (text.startsWith("---") ? text.replace(/^---\n.*?\n---\n/s, "") : text);

/** The skill in a folder, or those in its folders. @throws Error when none of them can be read. */
async function readSkills(folder: string, reader: AgentReader): Promise<SkillFolder> {
  const own = join(folder, "SKILL.md");
  const skillIn = async (path: string): Promise<SkillFile> => {
    const text = await reader.read(path);
    return within(path, () => readSkill(path, text));
  };
  if (await reader.has(own)) return { skills: [await skillIn(own)], unreadable: [] };
  const skills: SkillFile[] = [];
  const unreadable: string[] = [];
  for (const name of await reader.folders(folder)) {
    const path = join(folder, name, "SKILL.md");
    if (!(await reader.has(path))) continue;
    try {
      skills.push(await skillIn(path));
    } catch (error) {
      unreadable.push(messageOf(error));
    }
  }
  const [problem] = unreadable;
  if (skills.length === 0) throw new Error(problem ?? `"${folder}" has no SKILL.md, and neither has a folder in it`);
  return { skills, unreadable };
}

/** Names the file, and the line, in an error of its content. @throws Error */
function within<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AgentFileError)) throw error;
    throw new Error(`${path}, line ${error.line}: ${error.message}`);
  }
}

async function loaded<T>(
  named: ReadonlySet<string>,
  read: (written: string) => Promise<T>,
): Promise<ReadonlyMap<string, Loaded<T>>> {
  const results = new Map<string, Loaded<T>>();
  for (const written of named) {
    if (results.size === MAX_REFERENCES) break;
    try {
      results.set(written, { ok: true, value: await read(written) });
    } catch (error) {
      results.set(written, { ok: false, problem: messageOf(error) });
    }
  }
  return results;
}

function namedIn(content: unknown, into: Named = { agents: new Set(), texts: new Set(), skills: new Set() }): Named {
  const team = asRecord(content);
  const participants = asList(team["participants"]).map(asRecord);
  for (const holder of [team, ...participants]) {
    for (const path of asList(holder["instructionFiles"]).flatMap((one) => asText(one) ?? [])) into.texts.add(path);
    for (const path of asList(holder["skills"]).flatMap((one) => asText(one) ?? [])) into.skills.add(path);
  }
  for (const { agent, team: inner } of participants) {
    const path = asText(agent);
    if (path !== undefined) into.agents.add(path);
    if (inner !== undefined) namedIn(inner, into);
  }
  return into;
}
