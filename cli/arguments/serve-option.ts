import { resolve } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { addressIn } from "./remote-option.ts";
import { UsageError } from "./usage-error.ts";

/** The most that the host accepts. */
const MAX_IDLE_MINUTES = 10_000;

/** A day. */
const MAX_DRAIN_SECONDS = 86_400;

/** What stands for the standard output in place of a file. */
const STDOUT = "-";

const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** The options for a host that is started. */
const OF_START = [
  "foreground",
  "idle-minutes",
  "listen",
  "certificate",
  "key",
  "metrics",
  "log",
  "log-level",
  "drain-seconds",
] as const;

const flag = { type: "boolean", default: false } as const;

/** The options of `gavel serve`. */
export const serveOptions = {
  stop: flag,
  status: flag,
  foreground: { type: "boolean" },
  "idle-minutes": { type: "string" },
  listen: { type: "string" },
  certificate: { type: "string" },
  key: { type: "string" },
  "add-user": { type: "string" },
  "user-name": { type: "string" },
  metrics: { type: "string" },
  log: { type: "string" },
  "log-level": { type: "string" },
  "drain-seconds": { type: "string" },
} as const satisfies ParseArgsOptionsConfig;

type Values = {
  readonly [Name in keyof typeof serveOptions]?: (typeof serveOptions)[Name]["type"] extends "boolean"
    ? boolean | undefined
    : string | undefined;
};

/** What `gavel serve` is to do. */
export type ServeAction =
  | ({
      readonly action: "start";
      /** The command stays until the host ends, and the host ends with it. */
      readonly foreground: boolean;
      readonly idleMinutes: number | undefined;
      readonly network: Network | undefined;
    } & Watched)
  | { readonly action: "addUser"; readonly id: string; readonly userName: string }
  | { readonly action: "stop" | "status" };

/** How the host can be watched, and how it ends. */
interface Watched {
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** The path is absolute, or "-" for the standard output. */
  readonly log: { readonly path: string; readonly level: LogLevel } | undefined;
  readonly drainSeconds: number | undefined;
}

/** Where users of other computers join, with the absolute paths of the certificate and its key. */
interface Network {
  readonly host: string;
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
}

/** @throws UsageError for options that do not go together. */
export function serveAction(values: Values): ServeAction {
  const { stop, status, "add-user": id, "user-name": userName = id } = values;
  const actions = [stop && "--stop", status && "--status", id !== undefined && "--add-user"].filter(Boolean);
  if (actions.length > 1) throw new UsageError(`Give ${actions.join(" or ")}, not both.`);
  const [action] = actions;
  if (id === undefined && values["user-name"] !== undefined) throw new UsageError("--user-name is for --add-user.");
  const ofStart = OF_START.find((name) => values[name] !== undefined);
  if (action !== undefined && ofStart !== undefined)
    throw new UsageError(`--${ofStart} is for a host that is started, and not for ${action}.`);
  if (stop) return { action: "stop" };
  if (status) return { action: "status" };
  if (id !== undefined) return { action: "addUser", id, userName: userName ?? id };
  return {
    action: "start",
    foreground: values.foreground ?? false,
    idleMinutes: minutesIn(values["idle-minutes"]),
    network: networkIn(values),
    ...watchedIn(values),
  };
}

function watchedIn({ metrics, log, "log-level": level = "info", "drain-seconds": drain, foreground }: Values): Watched {
  const known = LOG_LEVELS.find((one) => one === level);
  if (known === undefined) throw new UsageError(`--log-level ${level} is none of ${LOG_LEVELS.join(", ")}.`);
  if (log === STDOUT && !foreground)
    throw new UsageError("--log - is for --foreground; name a file for the log of a host that goes on.");
  const seconds = drain === undefined ? undefined : Number(drain);
  if (seconds !== undefined && !(seconds >= 0 && seconds <= MAX_DRAIN_SECONDS))
    throw new UsageError(`--drain-seconds ${drain} is no number of seconds up to ${MAX_DRAIN_SECONDS}.`);
  return {
    metrics: metrics === undefined ? undefined : addressIn(metrics, "--metrics"),
    log: log === undefined ? undefined : { path: log === STDOUT ? log : resolve(log), level: known },
    drainSeconds: seconds,
  };
}

function minutesIn(text: string | undefined): number | undefined {
  const minutes = text === undefined ? undefined : Number(text);
  if (minutes === undefined || (minutes > 0 && minutes <= MAX_IDLE_MINUTES)) return minutes;
  throw new UsageError(`--idle-minutes ${text} is no number of minutes up to ${MAX_IDLE_MINUTES}.`);
}

function networkIn({ listen, certificate, key }: Values): Network | undefined {
  if (listen === undefined && certificate === undefined && key === undefined) return undefined;
  if (listen !== undefined && certificate !== undefined && key !== undefined)
    return { ...addressIn(listen, "--listen"), certificate: resolve(certificate), key: resolve(key) };
  throw new UsageError(
    "Users of other computers join with TLS alone: give --listen, --certificate and --key together.",
  );
}
