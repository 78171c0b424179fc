import * as z from "zod";
import { TeamEvent } from "./event.ts";
import { ElicitAnswer, ElicitQuestion } from "./mcp-question.ts";
import { notification, request } from "./message-type.ts";
import { ProgramQuestion } from "./program.ts";
import { StorageStatus } from "./storage.ts";

// Every message in this file is sent by the host to the client.

const teamId = z.string().min(1).max(200);

/** Sent for every event of a team that the client has opened, in order. */
export const TeamEventNotification = notification("team/event", z.object({ teamId, event: TeamEvent }));

/** Sent to a client that asked for it, when its interrupt has taken effect and before that is stored. */
export const InterruptReceived = notification("team/interruptReceived", z.object({ teamId }));

/** Sent when the storage cannot be written, once for each cause, when the user continues without saving, and at the end. */
export const StorageStatusNotification = notification("storage/status", StorageStatus);

/**
 * Sent when a model needs a key. The host keeps the key only for the request. `origin` is the scheme, host and port that the
 * key will be sent to, so that the client can refuse, and `endpoint` the same without the scheme, for older clients. `agent`
 * is the participant that gets it; left out for a model. With `lend` in the answer, the host may keep the key in memory, for
 * that origin, and use it after the client has gone, for the runs that this client has started.
 */
export const CredentialsGet = request(
  "credentials/get",
  z.object({
    secret: z.string(),
    origin: z.string(),
    endpoint: z.string().optional(),
    agent: z.string().optional(),
  }),
  z.object({ value: z.string().nullable(), lend: z.boolean().optional() }),
);

/**
 * Sent before anything goes to an endpoint that a team names and that is not on this machine, so that the user can refuse.
 * The host remembers an endpoint that is allowed until it ends or gets `endpoints/forget`. `secret` is the name of the key
 * that would be sent too. `agent` is the participant that is there; left out for a model. Cancelled with `$/cancelRequest`.
 */
export const EndpointsAllow = request(
  "endpoints/allow",
  z.object({ origin: z.string(), model: z.string(), secret: z.string().optional(), agent: z.string().optional() }),
  z.object({ allowed: z.boolean() }),
);

/**
 * Sent before the host starts a program that a file or the user's settings ask for, such as an MCP server, or connects to
 * such a server elsewhere. The host remembers one that is allowed until it ends or gets `programs/forget`. Cancelled with
 * `$/cancelRequest`.
 */
export const ProgramsAllow = request("programs/allow", ProgramQuestion, z.object({ allowed: z.boolean() }));

/**
 * Sent when the description of an MCP server, or of an agent elsewhere, has a placeholder `${input:ID}`. The client asks the
 * user for the value the first time, keeps it where no workspace can read it, and gives null when the user does not answer.
 */
export const McpInput = request(
  "mcp/input",
  z.object({
    server: z.string(),
    use: ProgramQuestion.shape.use.optional(),
    from: z.string().optional(),
    id: z.string(),
    description: z.string().optional(),
    default: z.string().optional(),
    password: z.boolean().optional(),
    options: z.array(z.string()).optional(),
  }),
  z.object({ value: z.string().max(20_000).nullable() }),
);

/**
 * Sent when an MCP server wants the user to sign in: gives what is kept of the sign-in to that address, and with a `value`
 * keeps that, or with null forgets it. The client keeps it as a secret.
 */
export const McpSignIn = request(
  "mcp/signIn",
  z.object({ url: z.string(), value: z.string().max(100_000).nullable().optional() }),
  z.object({ value: z.string().nullable() }),
);

/** Sent when an MCP server asks the user something during a call. Cancelled with `$/cancelRequest`. */
export const McpElicit = request(
  "mcp/elicit",
  z.object({ server: z.string(), question: ElicitQuestion }),
  ElicitAnswer,
);

/** Runs a tool that the client registered. Cancelled with `$/cancelRequest`. */
export const ToolsCall = request(
  "tools/call",
  z.object({
    teamId,
    participant: z.string(),
    ref: z.string(),
    name: z.string(),
    input: z.unknown(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  z.union([
    z.strictObject({ output: z.unknown() }),
    z.strictObject({ error: z.string() }),
    z.strictObject({ interrupt: z.unknown() }),
  ]),
);

/**
 * Sent before a file is read in order to change it: the open document for the file's URI, or null. A client that does not
 * know the request has no open documents. The host changes an open document with LSP's `workspace/applyEdit` and the version
 * that it read.
 */
export const DocumentsRead = request(
  "documents/read",
  z.object({ uri: z.string() }),
  z
    .object({
      /** The client's own URI for the document, which may differ from the requested one. */
      uri: z.string(),
      text: z.string(),
      version: z.number().int(),
      /** The document has unsaved changes. */
      dirty: z.boolean(),
    })
    .nullable(),
);

/** Sent after a change to a document that had no unsaved changes. The result says whether it was saved. */
export const DocumentsSave = request("documents/save", z.object({ uri: z.string() }), z.object({ saved: z.boolean() }));
