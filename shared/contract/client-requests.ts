import * as z from "zod";
import { TeamEvent } from "./event.ts";
import { notification, request } from "./message-type.ts";

const teamId = z.string().min(1).max(200);

/** Host to client, for every event of a team that the client has opened, in order. */
export const TeamEventNotification = notification("team/event", z.object({ teamId, event: TeamEvent }));

/**
 * Host to client, when a model needs a key. The host keeps it in memory for the request alone. `endpoint` is the host name (and
 * port) that it will be sent to, so that the client can refuse to send it anywhere else.
 */
export const CredentialsGet = request(
  "credentials/get",
  z.object({ secret: z.string(), endpoint: z.string().optional() }),
  z.object({ value: z.string().nullable() }),
);

/** Host to client, to run a tool that the client registered. Cancelled with `$/cancelRequest`. */
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
 * Host to client, before a file is read to be changed: the document that is open for it, by the file's URI, or null. A client
 * that does not know the request has no open documents. The host changes an open document by LSP's `workspace/applyEdit`, with
 * the version that it read.
 */
export const DocumentsRead = request(
  "documents/read",
  z.object({ uri: z.string() }),
  z
    .object({
      /** As the client names the document; the one asked for may be another name of the file. */
      uri: z.string(),
      text: z.string(),
      version: z.number().int(),
      /** The text has changes that are not saved. */
      dirty: z.boolean(),
    })
    .nullable(),
);

/** Host to client, after a change of a document that had no unsaved changes. The answer says whether it has none now. */
export const DocumentsSave = request("documents/save", z.object({ uri: z.string() }), z.object({ saved: z.boolean() }));
