import { resolve } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { addressIn } from "./remote-option.ts";
import { UsageError } from "./usage-error.ts";

/** The most that the host accepts. */
const MAX_IDLE_MINUTES = 10_000;

const flag = { type: "boolean", default: false } as const;

/** The options of `gavel serve`. */
export const serveOptions = {
  stop: flag,
  status: flag,
  "idle-minutes": { type: "string" },
  listen: { type: "string" },
  certificate: { type: "string" },
  key: { type: "string" },
  "add-user": { type: "string" },
  "user-name": { type: "string" },
} as const satisfies ParseArgsOptionsConfig;

type Values = {
  readonly [Name in keyof typeof serveOptions]?: (typeof serveOptions)[Name]["type"] extends "boolean"
    ? boolean | undefined
    : string | undefined;
};

/** What `gavel serve` is to do. */
export type ServeAction =
  | { readonly action: "start"; readonly idleMinutes: number | undefined; readonly network: Network | undefined }
  | { readonly action: "addUser"; readonly id: string; readonly userName: string }
  | { readonly action: "stop" | "status" };

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
  const ofStart = (["idle-minutes", "listen", "certificate", "key"] as const).find(
    (name) => values[name] !== undefined,
  );
  if (action !== undefined && ofStart !== undefined)
    throw new UsageError(`--${ofStart} is for a host that is started, and not for ${action}.`);
  if (stop) return { action: "stop" };
  if (status) return { action: "status" };
  if (id !== undefined) return { action: "addUser", id, userName: userName ?? id };
  return { action: "start", idleMinutes: minutesIn(values["idle-minutes"]), network: networkIn(values) };
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
