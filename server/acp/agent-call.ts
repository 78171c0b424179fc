import { resolve } from "node:path";
import type { ToolCallContent, ToolCallUpdate, ToolKind } from "@agentclientprotocol/sdk/unstable";
import { isRecord } from "../../shared/json-record.ts";
import type { CallEffects } from "../engine/index.ts";
import { posixWord } from "./terminal/terminal-command.ts";

/** The longest result that is kept of a call, in characters. */
const MAX_RESULT = 100_000;
/** The longest text of an agent that names something. */
const MAX_TITLE = 1000;

/** The kinds of calls that an agent may make or ask about. Each is a tool, so that rules can tell them apart. */
export const AGENT_CALL_KINDS: readonly ToolKind[] = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
];

/** The tool that stands for what an agent does itself. No tool of a model has such a name. */
export const agentToolName = (kind: ToolKind): string => `agent:${kind}`;

/** What changes in a file, as the agent says: a part of it, or all. */
export interface ProposedDiff {
  readonly path: string;
  readonly oldText?: string | undefined;
  readonly newText: string;
}

/** What an agent says that it does: what the user is shown, and what the rules are applied to. */
export interface AgentCallInput {
  readonly title: string;
  readonly command?: string;
  readonly cwd?: string;
  readonly url?: string;
  readonly paths?: readonly string[];
  readonly changes?: readonly ProposedDiff[];
  readonly text?: string;
  /** What else the agent gives its own tool. */
  readonly details?: unknown;
}

/** A call of an agent with all that it has said about it so far. */
export interface AgentCallState {
  readonly kind: ToolKind;
  readonly title: string;
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly string[];
  readonly rawInput: unknown;
  readonly rawOutput: unknown;
}

export const newAgentCall: AgentCallState = {
  kind: "other",
  title: "",
  content: [],
  locations: [],
  rawInput: undefined,
  rawOutput: undefined,
};

/** The call after one more update: what the update leaves out stays. */
export function updatedCall(call: AgentCallState, update: Omit<ToolCallUpdate, "toolCallId">): AgentCallState {
  return {
    kind: update.kind ?? call.kind,
    title: update.title?.slice(0, MAX_TITLE) ?? call.title,
    content: update.content ?? call.content,
    locations: update.locations?.map(({ path }) => path) ?? call.locations,
    rawInput: update.rawInput ?? call.rawInput,
    rawOutput: update.rawOutput ?? call.rawOutput,
  };
}

/** The fields of an agent's own input that say what is shown elsewhere, or that do not matter. */
const COMMAND_FIELDS = new Set(["command", "cwd", "workdir", "description", "timeout", "timeout_ms", "timeoutMs"]);
const PATH_FIELDS = ["file_path", "filePath", "path", "abs_path", "absolute_path", "notebook_path"] as const;

/** What a call is shown and judged as. Paths that are relative are so to `cwd`, the folder of the session. */
export function agentCallInput(
  { kind, title, content, locations, rawInput }: AgentCallState,
  cwd: string,
): AgentCallInput {
  const raw = isRecord(rawInput) ? rawInput : {};
  const changes = content.flatMap((part): ProposedDiff[] =>
    part.type === "diff"
      ? [
          {
            path: resolve(cwd, part.path),
            ...(part.oldText == null ? {} : { oldText: part.oldText }),
            newText: part.newText,
          },
        ]
      : [],
  );
  const text = contentText(content);
  const command = kind === "execute" ? commandLine(raw["command"]) : undefined;
  const folder = raw["cwd"] ?? raw["workdir"];
  const url = kind === "fetch" && typeof raw["url"] === "string" ? raw["url"] : undefined;
  const named = PATH_FIELDS.flatMap((key) => (typeof raw[key] === "string" ? [raw[key]] : []));
  const usesFiles = kind !== "execute" && kind !== "fetch" && kind !== "think";
  const paths = usesFiles
    ? [...new Set([...locations, ...named].map((path) => resolve(cwd, path)).concat(changes.map(({ path }) => path)))]
    : [];
  const isWhole = command !== undefined && Object.keys(raw).every((key) => COMMAND_FIELDS.has(key));
  const isTold = isWhole || (url !== undefined && Object.keys(raw).length === 1) || changes.length > 0;
  const details = isTold || rawInput === undefined || isEmpty(rawInput) ? {} : { details: rawInput };
  return {
    title,
    ...(command === undefined ? {} : { command, cwd: typeof folder === "string" ? resolve(cwd, folder) : cwd }),
    ...(url === undefined ? {} : { url }),
    ...(paths.length === 0 ? {} : { paths }),
    ...(changes.length === 0 ? {} : { changes }),
    ...(text === "" || text === title ? {} : { text: text.slice(0, MAX_RESULT) }),
    ...details,
  };
}

/**
 * What the call would do, for the rules; undefined where the agent does not say all of it, so that only a rule about
 * every call of the kind, or about exactly this one, can allow it.
 */
export function agentCallEffects(kind: ToolKind, input: AgentCallInput): CallEffects | undefined {
  const { command, cwd, url, paths = [], details } = input;
  const use = kind === "read" ? "read" : kind === "search" ? "search" : "write";
  switch (kind) {
    case "execute":
      if (command === undefined || cwd === undefined || details !== undefined) return undefined;
      return { command: { line: command, folder: cwd }, paths: [], hosts: [] };
    case "fetch": {
      const host = url === undefined ? undefined : URL.parse(url)?.host;
      return host === undefined || details !== undefined ? undefined : { paths: [], hosts: [host] };
    }
    case "read":
    case "search":
    case "edit":
    case "delete":
    case "move":
      return paths.length === 0 ? undefined : { paths: paths.map((path) => ({ use, path })), hosts: [] };
    case "think":
    case "switch_mode":
    case "other":
      return undefined;
  }
}

/** What came of a call, as text, with the output of its terminals. */
export function agentCallOutput(
  { content, rawOutput, kind }: AgentCallState,
  terminalText: (id: string) => string = () => "",
): string {
  const terminals = content.flatMap((part) => (part.type === "terminal" ? [terminalText(part.terminalId)] : []));
  const text = [contentText(content), ...terminals].filter((part) => part !== "").join("\n");
  const edited = content.flatMap((part) => (part.type === "diff" ? [`Changed ${part.path}.`] : []));
  const told = [text, ...edited].filter((part) => part !== "").join("\n");
  const raw = rawOutput === undefined || rawOutput === null ? "" : rawText(rawOutput);
  const output = told === "" || (kind === "execute" && text === "") ? [told, raw].filter(Boolean).join("\n") : told;
  return output.length > MAX_RESULT ? `${output.slice(0, MAX_RESULT)}\n[The rest is left out.]` : output;
}

/** True for calls that change nothing by themselves. */
export const isReadOnlyKind = (kind: ToolKind): boolean =>
  kind === "read" || kind === "search" || kind === "think" || kind === "fetch" || kind === "switch_mode";

function contentText(content: readonly ToolCallContent[]): string {
  return content
    .flatMap((part) => (part.type === "content" && part.content.type === "text" ? [part.content.text] : []))
    .join("\n")
    .trim();
}

/** A command line for a shell; words of a list are quoted. */
function commandLine(command: unknown): string | undefined {
  if (typeof command === "string") return command.trim() === "" ? undefined : command;
  if (!Array.isArray(command) || command.length === 0) return undefined;
  const words = command.filter((word) => typeof word === "string");
  return words.length === command.length ? words.map(posixWord).join(" ") : undefined;
}

function rawText(raw: unknown): string {
  if (typeof raw === "string") return raw;
  const output = isRecord(raw) ? (raw["output"] ?? raw["formatted_output"] ?? raw["stdout"]) : undefined;
  return typeof output === "string" ? output : (JSON.stringify(raw) ?? "");
}

const isEmpty = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;
