import * as z from "zod";
import { request } from "./message-type.ts";
import { User } from "./people.ts";
import { InitializationOptions } from "./requests/initialization.ts";

/**
 * How a client shows that it may join: a proof that it knows the token of the host's file, with a number of its own that is
 * used once; or the token itself.
 */
const shown = {
  nonce: z.string().min(22).max(200).optional(),
  proof: z.string().max(200).optional(),
  token: z.string().max(200).optional(),
};

/**
 * The first message of a client on the socket of a running host (PROTOCOL.md, "Several clients"). After its answer the same
 * stream carries the protocol, from `initialize` on. Who does not know the token gets no answer.
 */
export const HostJoin = request(
  "host/join",
  z.object({ ...shown, protocolVersion: z.number().int() }),
  z.object({
    /** Shows with the client's number that the host knows the token too. */
    proof: z.string().optional(),
    protocolVersion: z.number().int(),
    /** The version of Gavel that the host is of. */
    gavelVersion: z.string(),
    /** True for a host without a parent, which goes on when its clients leave. */
    keepsRunning: z.boolean(),
    /** Whether a team runs in it now. */
    isBusy: z.boolean(),
    /** Who the client's user is by their token; left out on the host's own computer. */
    user: User.optional(),
  }),
);

/**
 * Instead of `host/join`: ends a host that keeps running, whatever version of the protocol it speaks. It interrupts what
 * runs, and answers when everything is stored.
 */
export const HostStop = request("host/stop", z.object(shown), z.null());

/** Where a host listens, and what clients need in order to join it: the file `host.json` in its storage folder. */
export const HostPlace = z.object({
  version: z.literal(1),
  /** The path of a socket, or on Windows the name of a pipe. */
  address: z.string().min(1).max(1_000),
  token: z.string().min(32).max(200),
  /** The process of the host. */
  pid: z.number().int().positive(),
});
export type HostPlace = z.infer<typeof HostPlace>;

/** Where a host listens for users of other computers, always with TLS and a token for each user. */
export const NetworkOptions = z.strictObject({
  host: z.string().min(1),
  port: z.number().int().min(0).max(65_535),
  /** Paths of PEM files. */
  certificate: z.string().min(1),
  key: z.string().min(1),
  /** The path of the file with the users who may join. */
  users: z.string().min(1),
});
export type NetworkOptions = z.infer<typeof NetworkOptions>;

/** Where a host tells how it does, for those who watch it. */
export const MetricsOptions = z.strictObject({ host: z.string().min(1), port: z.number().int().min(0).max(65_535) });
export type MetricsOptions = z.infer<typeof MetricsOptions>;

/** Where a host writes its log, in lines of JSON. */
export const LogOptions = z.strictObject({
  /** Absolute; `-` is the standard output, after the line that says whether the host listens. */
  path: z.string().min(1),
  level: z.enum(["error", "warn", "info", "debug"]).optional(),
});
export type LogOptions = z.infer<typeof LogOptions>;

/** What a host without a parent is started with: the options of all its clients, and how long it stays without them. */
export const ServeOptions = InitializationOptions.pick({
  globalStoragePath: true,
  scratchPath: true,
  mcpFiles: true,
}).extend({
  storagePath: z.string().min(1),
  /** It ends when it has had no client, and no run, for so many minutes. */
  idleMinutes: z.number().positive().max(10_000).optional(),
  network: NetworkOptions.optional(),
  metrics: MetricsOptions.optional(),
  log: LogOptions.optional(),
  /** How long runs may go on after a first SIGTERM, in seconds: 0 if left out. */
  drainSeconds: z.number().min(0).max(86_400).optional(),
  /**
   * The host ends when its standard input does: when the process is gone that started it, however that ended. It does not
   * end because it is idle, unless `idleMinutes` says when.
   */
  foreground: z.boolean().optional(),
  /** The address of the store is one line on the standard input: other users can read the arguments of a process. */
  hasStore: z.boolean().optional(),
  /** Likewise that of the link, on the next line. */
  hasLink: z.boolean().optional(),
});
export type ServeOptions = z.infer<typeof ServeOptions>;
