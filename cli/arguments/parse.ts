import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { messageOf } from "../../shared/contract/errors.ts";
import { type RemoteAddress, remoteOf, remoteOptions } from "./remote-option.ts";
import { type ServeAction, serveAction, serveOptions } from "./serve-option.ts";
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
  ...remoteOptions,
  ...permissions,
  thread: { type: "string" },
  continue: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const satisfies ParseArgsOptionsConfig;

export interface CommonOptions {
  /** The folder in which teams work. */
  readonly folder: string;
  readonly ownStore: boolean;
  readonly noColor: boolean;
  /** The host of another computer whose threads these are; undefined for the one of this computer. */
  readonly remote: RemoteAddress | undefined;
}

/** What the user allows: origins of endpoints, and digests of programs that a file may ask for. */
export interface Consents {
  readonly allowOrigins: readonly string[];
  readonly allowPrograms: readonly string[];
}

export interface CheckOptions extends CommonOptions, Consents {
  readonly files: readonly string[];
}

export interface WorkerOptions {
  /** The address of the link; that of the environment if left out. */
  readonly link: string | undefined;
  /** The file with what the worker runs. */
  readonly participants: string;
  /** The name of the worker; that of the file if left out. */
  readonly workerName: string | undefined;
}

export type ServeOptions = CommonOptions & ServeAction;

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
  | ({ readonly name: "worker" } & WorkerOptions)
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
    case "worker":
      return workerIn(rest);
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
  const options = runOptions(values);
  if (options.remote !== undefined) checkRemote(values, file);
  return { name: "run", ...options, file, task, thread };
}

/** On another computer there are no files and rules of this one. @throws UsageError */
function checkRemote(
  {
    approve,
    deny,
    review,
    model,
  }: Readonly<Record<"approve" | "deny" | "review", readonly string[]>> & { model?: string | undefined },
  file: string | undefined,
): void {
  if (file !== undefined)
    throw new UsageError(
      'With --host, name a thread: gavel run --host HOST:PORT --thread ID; "gavel list" has the ids.',
    );
  if (approve.length + deny.length + review.length > 0 || model !== undefined)
    throw new UsageError(
      "With --host, rules and models are those of the host's user; leave out --approve and the like.",
    );
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
  const { values, positionals } = parsed("list", args, {
    ...common,
    ...remoteOptions,
    json: { type: "boolean", default: false },
  });
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
  const { values, positionals } = parsed("show", args, { ...common, ...remoteOptions });
  return { name: "show", ...commonOf(values), thread: oneThread(positionals, "show") };
}

function exportIn(args: readonly string[]): Command {
  const options = { ...common, ...remoteOptions, output: { type: "string", short: "o" } } as const;
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
  const { values, positionals } = parsed("serve", args, { ...common, ...serveOptions });
  if (positionals.length > 0) throw new UsageError("gavel serve takes no argument; --folder chooses the folder.");
  return { name: "serve", ...commonOf({ ...values, certificate: undefined }), ...serveAction(values) };
}

function workerIn(args: readonly string[]): Command {
  const { values, positionals } = parsed("worker", args, {
    link: { type: "string" },
    participants: { type: "string" },
    name: { type: "string" },
  });
  if (values.participants === undefined || positionals.length > 0)
    throw new UsageError("Name the file with what the worker runs: gavel worker --participants FILE.");
  return { name: "worker", link: values.link, participants: values.participants, workerName: values.name };
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
  readonly host?: string | undefined;
  readonly certificate?: string | undefined;
}): CommonOptions => ({
  folder: values.folder ?? process.cwd(),
  ownStore: values["own-store"],
  noColor: values["no-color"],
  remote: remoteOf(values),
});
