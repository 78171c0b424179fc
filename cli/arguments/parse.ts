import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { messageOf } from "../../shared/contract/errors.ts";
import { UsageError } from "./usage-error.ts";

/** The options that every command takes. */
const common = {
  folder: { type: "string" },
  "own-store": { type: "boolean", default: false },
  "no-color": { type: "boolean", default: false },
} as const satisfies ParseArgsOptionsConfig;

/** What may be started and reached. */
const consents = {
  "allow-program": { type: "string", multiple: true, default: [] },
  "allow-origin": { type: "string", multiple: true, default: [] },
} as const satisfies ParseArgsOptionsConfig;

/** What the team may do, and with which model. */
const permissions = {
  ...consents,
  model: { type: "string" },
  approve: { type: "string", multiple: true, default: [] },
  deny: { type: "string", multiple: true, default: [] },
  review: { type: "string", multiple: true, default: [] },
  "otel-endpoint": { type: "string" },
  "otel-content": { type: "boolean", default: false },
} as const satisfies ParseArgsOptionsConfig;

const ofRun = {
  ...common,
  ...permissions,
  thread: { type: "string" },
  continue: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const satisfies ParseArgsOptionsConfig;

/** The most that the host accepts. */
const MAX_IDLE_MINUTES = 10_000;

export interface CommonOptions {
  /** The folder in which teams work. */
  readonly folder: string;
  readonly ownStore: boolean;
  readonly noColor: boolean;
}

/** What the user allows: origins of endpoints, and digests of programs that a file may ask for. */
export interface Consents {
  readonly allowOrigins: readonly string[];
  readonly allowPrograms: readonly string[];
}

export interface CheckOptions extends CommonOptions, Consents {
  readonly files: readonly string[];
}

export interface ServeOptions extends CommonOptions {
  readonly action: "start" | "stop" | "status";
  /** How long the host stays without clients and runs. */
  readonly idleMinutes: number | undefined;
}

export interface RunOptions extends CommonOptions, Consents {
  /** The team file; undefined with a thread, which has its own. */
  readonly file: string | undefined;
  /** Undefined to continue a thread without one; "-" stands for the standard input. */
  readonly task: string | undefined;
  /** A stored thread to go on with: its id, or the last of the team file. */
  readonly thread: string | "last" | undefined;
  readonly model: string | undefined;
  readonly approve: readonly string[];
  readonly deny: readonly string[];
  /** Rules for calls whose results wait for the user before the model gets them. */
  readonly review: readonly string[];
  /** The user's OpenTelemetry collector, and whether it gets what is said. */
  readonly otelEndpoint: string | undefined;
  readonly otelContent: boolean;
  readonly json: boolean;
}

export type Command =
  | { readonly name: "help"; readonly about: string | undefined }
  | { readonly name: "version" }
  | ({ readonly name: "run" } & RunOptions)
  | ({ readonly name: "acp" } & RunOptions)
  | ({ readonly name: "list"; readonly json: boolean } & CommonOptions)
  | ({ readonly name: "show"; readonly thread: string } & CommonOptions)
  | ({ readonly name: "export"; readonly thread: string; readonly output: string | undefined } & CommonOptions)
  | ({ readonly name: "serve" } & ServeOptions)
  | ({ readonly name: "check" } & CheckOptions);

/** The command that the arguments ask for. @throws UsageError */
export function parseCommand(given: readonly string[]): Command {
  const [name, ...rest] = given;
  if (name === undefined) return { name: "help", about: undefined };
  const options = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (options.includes("--help") || options.includes("-h")) return { name: "help", about: name };
  switch (name) {
    case "--help":
    case "-h":
    case "help":
      return { name: "help", about: rest[0] };
    case "--version":
    case "-v":
      return { name: "version" };
    case "run":
      return runIn(rest);
    case "acp":
      return acpIn(rest);
    case "list":
      return listIn(rest);
    case "show":
      return showIn(rest);
    case "export":
      return exportIn(rest);
    case "serve":
      return serveIn(rest);
    case "check":
      return checkIn(rest);
    default:
      throw new UsageError(`There is no command ${name}; "gavel help" lists the commands.`);
  }
}

function runIn(args: readonly string[]): Command {
  const { values, positionals } = parsed("run", args, ofRun);
  const thread = values.continue ? "last" : values.thread;
  if (values.continue && values.thread !== undefined) {
    throw new UsageError("Give --thread or --continue, not both.");
  }
  // A thread has its own team file, so that a single argument is what is said to it.
  const [file, task, ...others] = values.thread === undefined ? positionals : [undefined, ...positionals];
  if (others.length > 0) throw new UsageError(`The task has to be one argument; put it in quotes.`);
  if (file === undefined && values.thread === undefined) {
    throw new UsageError('Name a team file: gavel run FILE "task".');
  }
  if (task === undefined && thread === undefined) {
    throw new UsageError('Say what the team is to do: gavel run FILE "task", or - for a task from the standard input.');
  }
  return { name: "run", ...runOptions(values), file, task, thread };
}

function acpIn(args: readonly string[]): Command {
  const { values, positionals } = parsed("acp", args, { ...common, ...permissions });
  const [file, ...others] = positionals;
  if (others.length > 0) throw new UsageError("Name one team file, or none: gavel acp FILE.");
  return { name: "acp", ...runOptions({ ...values, json: false }), file, task: undefined, thread: undefined };
}

const runOptions = (
  values: Parameters<typeof commonOf>[0] & {
    readonly model?: string | undefined;
    readonly approve: readonly string[];
    readonly deny: readonly string[];
    readonly review: readonly string[];
    readonly "allow-origin": readonly string[];
    readonly "allow-program": readonly string[];
    readonly "otel-endpoint"?: string | undefined;
    readonly "otel-content": boolean;
    readonly json: boolean;
  },
) => ({
  ...commonOf(values),
  model: values.model,
  approve: values.approve,
  deny: values.deny,
  review: values.review,
  allowOrigins: values["allow-origin"],
  allowPrograms: values["allow-program"],
  otelEndpoint: values["otel-endpoint"],
  otelContent: values["otel-content"],
  json: values.json,
});

function listIn(args: readonly string[]): Command {
  const { values, positionals } = parsed("list", args, { ...common, json: { type: "boolean", default: false } });
  if (positionals.length > 0) throw new UsageError("gavel list takes no argument; --folder chooses the folder.");
  return { name: "list", ...commonOf(values), json: values.json };
}

/** For a command about one stored thread. */
function oneThread(positionals: readonly string[], name: string): string {
  const [thread, ...others] = positionals;
  if (thread === undefined || others.length > 0) {
    throw new UsageError(`Name one thread: gavel ${name} ID; "gavel list" lists the ids.`);
  }
  return thread;
}

function showIn(args: readonly string[]): Command {
  const { values, positionals } = parsed("show", args, common);
  return { name: "show", ...commonOf(values), thread: oneThread(positionals, "show") };
}

function exportIn(args: readonly string[]): Command {
  const options = { ...common, output: { type: "string", short: "o" } } as const;
  const { values, positionals } = parsed("export", args, options);
  return { name: "export", ...commonOf(values), thread: oneThread(positionals, "export"), output: values.output };
}

function checkIn(args: readonly string[]): Command {
  const { values, positionals } = parsed("check", args, { ...common, ...consents });
  if (positionals.length === 0) throw new UsageError("Name the team files to check: gavel check FILE…");
  return {
    name: "check",
    ...commonOf(values),
    files: positionals,
    allowOrigins: values["allow-origin"],
    allowPrograms: values["allow-program"],
  };
}

function serveIn(args: readonly string[]): Command {
  const flag = { type: "boolean", default: false } as const;
  const options = { ...common, stop: flag, status: flag, "idle-minutes": { type: "string" } } as const;
  const { values, positionals } = parsed("serve", args, options);
  const { stop, status, "idle-minutes": minutes } = values;
  if (positionals.length > 0) throw new UsageError("gavel serve takes no argument; --folder chooses the folder.");
  if (stop && status) throw new UsageError("Give --stop or --status, not both.");
  if ((stop || status) && minutes !== undefined) throw new UsageError("--idle-minutes is for a host that is started.");
  const idleMinutes = minutes === undefined ? undefined : Number(minutes);
  if (idleMinutes !== undefined && !(idleMinutes > 0 && idleMinutes <= MAX_IDLE_MINUTES))
    throw new UsageError(`--idle-minutes ${minutes} is no number of minutes up to ${MAX_IDLE_MINUTES}.`);
  return { name: "serve", ...commonOf(values), action: stop ? "stop" : status ? "status" : "start", idleMinutes };
}

function parsed<T extends ParseArgsOptionsConfig>(name: string, args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const [sentence = ""] = messageOf(error).split(". ");
    throw new UsageError(`${sentence.replace(/\.$/, "")}; see "gavel help ${name}".`);
  }
}

const commonOf = (values: {
  readonly folder?: string | undefined;
  readonly "own-store": boolean;
  readonly "no-color": boolean;
}): CommonOptions => ({
  folder: values.folder ?? process.cwd(),
  ownStore: values["own-store"],
  noColor: values["no-color"],
});
