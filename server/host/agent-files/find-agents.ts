import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { FoundAgent } from "../../../shared/contract/requests/agents.ts";
import { locateIn, type Workspace } from "../../tools/index.ts";
import { pathText } from "../definition/path.ts";
import { asList, asRecord } from "../definition/unchecked-json.ts";
import { readAgents } from "./agent-file.ts";
import { type AgentReader, agentReader, type MayRead } from "./agent-reader.ts";
import { loadReferences } from "./load-references.ts";
import { resolveReferences } from "./resolve-references.ts";

/** Where the tools keep their agents. */
const AGENT_FOLDERS = [
  { folder: ".github/agents", ends: ".md" },
  { folder: ".github/chatmodes", ends: ".chatmode.md" },
  { folder: ".claude/agents", ends: ".md" },
];
const MODES = ".roomodes";
const INSTRUCTIONS = ["AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md"];
const SKILLS = [".github/skills", ".claude/skills", ".agents/skills"];

/** How many agents are found. */
const MAX_AGENTS = 200;

export interface FoundFiles {
  readonly agents: FoundAgent[];
  readonly instructionFiles: string[];
  readonly skills: string[];
}

interface FindOptions {
  /** The tools that there are. */
  readonly tools: readonly string[];
  /** Also what the user has in the home folder. */
  readonly own: boolean;
  readonly mayRead: MayRead;
}

/** Finds what a team in these folders can name. */
export async function findAgents(workspace: Workspace, { tools, own, mayRead }: FindOptions): Promise<FoundFiles> {
  if (workspace.roots().length === 0 && !own) return { agents: [], instructionFiles: [], skills: [] };
  const reader = agentReader(workspace, undefined, mayRead);
  const isThere = async (path: string): Promise<boolean> =>
    locateIn(workspace, path).then(
      () => true,
      () => false,
    );
  const files = await markdownIn(workspace);
  const modes = await modesIn(reader);
  const agents = await found([...files, ...modes], reader, tools);
  const ownFolder = { roots: () => [join(homedir(), ".claude", "agents")] };
  const ownAgents = own
    ? await found(await entriesOf(ownFolder.roots()[0] ?? "", ".md"), agentReader(ownFolder, undefined, mayRead), tools)
    : [];
  return {
    agents: [
      ...agents,
      ...ownAgents.map(({ reference: _, ...agent }) => ({ ...agent, file: `~/.claude/agents/${agent.file}` })),
    ].slice(0, MAX_AGENTS),
    instructionFiles: await those(INSTRUCTIONS, isThere),
    skills: await those(SKILLS, isThere),
  };
}

async function those(paths: readonly string[], isThere: (path: string) => Promise<boolean>): Promise<string[]> {
  const there = await Promise.all(paths.map(isThere));
  return paths.filter((_, at) => there[at]);
}

async function markdownIn(workspace: Workspace): Promise<string[]> {
  const paths: string[] = [];
  for (const { folder, ends } of AGENT_FOLDERS) {
    const place = await locateIn(workspace, folder).catch(() => undefined);
    const names = place === undefined ? [] : await entriesOf(place.path, ends);
    paths.push(...names.map((name) => `${folder}/${name}`));
  }
  return paths;
}

async function entriesOf(folder: string, ends: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.flatMap(({ name }) => (name.endsWith(ends) && !/^README/i.test(name) ? [name] : []));
  return names.sort().slice(0, MAX_AGENTS);
}

async function modesIn(reader: AgentReader): Promise<string[]> {
  const text = await reader.read(MODES).catch(() => undefined);
  if (text === undefined) return [];
  try {
    return readAgents(MODES, text).map(({ name }) => `${MODES}#${name}`);
  } catch {
    // It is told with the file what is wrong.
    return [MODES];
  }
}

/** What a team file that names these would have. */
async function found(
  references: readonly string[],
  reader: AgentReader,
  tools: readonly string[],
): Promise<FoundAgent[]> {
  const content = { kind: "roundRobin", participants: references.map((agent) => ({ agent })) };
  const files = await loadReferences(content, reader);
  const { content: resolved, problems, notes } = resolveReferences(content, files, tools);
  const participants = asList(asRecord(resolved)["participants"]);
  return references.map((reference, at) => {
    const own = ({ path }: { readonly path: readonly PropertyKey[] }): boolean =>
      pathText(path).startsWith(`participants[${at}]`);
    const problem = problems.find(own)?.message;
    return {
      reference,
      file: reference,
      ...(problem === undefined ? { participant: asRecord(participants[at]) } : { problem }),
      leftOut: notes.filter(own).map(({ message }) => message),
    };
  });
}
