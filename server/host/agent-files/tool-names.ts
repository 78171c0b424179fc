import { ownValue } from "../../../shared/json-record.ts";

const READ = ["readFile", "listFiles", "searchText"];
const EDIT = ["editFile", "writeFile"];

/**
 * The tools of other programs that do what tools of Gavel do, in lower case: those of Claude Code, the tool sets and tools
 * of VS Code, and the groups of Roo Code.
 */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  read: READ,
  readfile: ["readFile"],
  view: ["readFile"],
  search: ["listFiles", "searchText"],
  grep: ["searchText"],
  textsearch: ["searchText"],
  findtextinfiles: ["searchText"],
  codebase: ["listFiles", "searchText"],
  glob: ["listFiles"],
  ls: ["listFiles"],
  filesearch: ["listFiles"],
  findfiles: ["listFiles"],
  listdirectory: ["listFiles"],
  edit: EDIT,
  multiedit: ["editFile"],
  editfiles: EDIT,
  replacestring: ["editFile"],
  applypatch: ["applyPatch", "editFile"],
  write: ["writeFile"],
  createfile: ["writeFile"],
  bash: ["runCommand"],
  powershell: ["runCommand"],
  shell: ["runCommand"],
  execute: ["runCommand"],
  command: ["runCommand"],
  runcommands: ["runCommand"],
  runinterminal: ["runCommand"],
  terminal: ["runCommand"],
  problems: ["problems"],
  usages: ["references"],
  terminallastcommand: ["terminalOutput"],
  getterminaloutput: ["terminalOutput"],
  webfetch: ["webFetch"],
  fetch: ["webFetch"],
  web: ["webFetch"],
  todowrite: ["todo"],
  todo: ["todo"],
  todos: ["todo"],
  askuserquestion: ["askUser"],
  askquestions: ["askUser"],
};

/** What a participant has that names no tools. */
export const READING_TOOLS: readonly string[] = READ;

/** Tools of Gavel for those that an agent file names. */
export interface MappedTools {
  readonly tools: readonly string[];
  /** A clause for each that could not be taken over. */
  readonly leftOut: readonly string[];
}

/**
 * @param known the tools that there are.
 * @param isServer whether tools of an MCP server of that name may be used.
 */
export function mapTools(
  wanted: readonly string[],
  known: readonly string[],
  isServer: (server: string) => boolean,
): MappedTools {
  const tools = new Set<string>();
  const leftOut: string[] = [];
  for (const name of wanted) {
    const found = toolsFor(name, known, isServer);
    if (found.length === 0) leftOut.push(`there is no tool for "${name}"`);
    else if (/[(]/.test(name)) leftOut.push(`what "${name}" restricts is not taken over; your approval rules hold`);
    for (const tool of found) tools.add(tool);
  }
  return { tools: [...tools], leftOut };
}

function toolsFor(written: string, known: readonly string[], isServer: (server: string) => boolean): readonly string[] {
  const name = written.replace(/\(.*$/s, "").trim();
  if (known.includes(name)) return [name];
  if (name === "*") return [...READ, ...EDIT, "runCommand"].filter((tool) => known.includes(tool));
  const [, mcpServer = "", mcpTool = "*"] = /^mcp__([^_].*?)(?:__(.*))?$/.exec(name) ?? [];
  if (mcpServer !== "") return isServer(mcpServer) ? [`${mcpServer}/${mcpTool}`] : [];
  const [server = "", tool] = name.split("/");
  if (tool !== undefined && isServer(server)) return [name];
  // VS Code names a tool with its set: `search/codebase`.
  const own = ownValue(TOOLS, (tool ?? server).toLowerCase()) ?? [];
  return own.filter((one) => known.includes(one)).slice(0, own[0] === "applyPatch" ? 1 : undefined);
}
