import { ErrorCodes, type Message } from "vscode-languageserver/node";
import * as z from "zod";
import { invalidParams } from "../../../shared/contract/errors.ts";
import { TeamOpen } from "../../../shared/contract/requests.ts";
import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { LIMITS } from "../../../shared/limits.ts";
import { sizeProblem } from "../../../shared/size-problem.ts";
import { schemaProblems } from "../definition/schema-problems.ts";
import { toProblem } from "../definition/validation-problem.ts";

/** An error that answers a message, or that is reported without an id. */
export interface MessageError {
  readonly id: number | string | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: JsonRecord };
}

/** What to do with a message: pass it on, answer it with an error, or ignore it. */
export type CheckedMessage = { readonly pass: Message } | { readonly answer: MessageError } | "ignore";

/** What the host reads of LSP's `initialize`. */
const InitializeParams = z.looseObject({
  processId: z.number().int().nullish(),
  rootUri: z.string().nullish(),
  clientInfo: z.looseObject({ name: z.string(), version: z.string().optional() }).optional(),
  workspaceFolders: z.array(z.looseObject({ uri: z.string() })).nullish(),
  capabilities: z.looseObject({
    workspace: z.looseObject({ didChangeConfiguration: z.looseObject({}).optional() }).optional(),
    window: z.looseObject({}).optional(),
  }),
});

/** Checks that a JSON value is a message of JSON-RPC 2.0 that the parts behind the connection can take. */
export function checkMessage(value: unknown): CheckedMessage {
  if (Array.isArray(value)) return refused(null, ErrorCodes.InvalidRequest, "Send one message at a time, not a batch.");
  if (!isRecord(value)) return refused(null, ErrorCodes.InvalidRequest, "A message has to be a JSON object.");
  const id = idOf(value["id"]);
  if (value["jsonrpc"] !== "2.0") {
    return refused(id ?? null, ErrorCodes.InvalidRequest, 'A message needs `"jsonrpc": "2.0"`.');
  }
  if (id === undefined && Object.hasOwn(value, "id")) {
    return refused(null, ErrorCodes.InvalidRequest, "The `id` of a message has to be a number or a text.");
  }
  const { method } = value;
  if (method === undefined) return checkResponse(value, id);
  if (typeof method !== "string") {
    return refused(id ?? null, ErrorCodes.InvalidRequest, "The `method` of a message has to be a text.");
  }
  return checkCall(value, method, id);
}

function checkCall(value: JsonRecord, method: string, id: number | string | undefined): CheckedMessage {
  const { params } = value;
  if (params !== undefined && params !== null && typeof params !== "object") {
    return id === undefined ? "ignore" : invalid(id, method, [{ path: "", message: "should be a map of keys" }]);
  }
  // A definition has its own limits, and its own error.
  const problem = method === TeamOpen.method ? undefined : sizeProblem(params, LIMITS.message);
  if (problem !== undefined) {
    return id === undefined ? "ignore" : invalid(id, method, [{ path: "", message: problem }]);
  }
  // LSP lets a server ignore these; the library's handlers need their params.
  if (method.startsWith("$/") && !isRecord(params)) return "ignore";
  return method === "initialize" && id !== undefined ? checkInitialize(value, id) : { pass: messageOf(value) };
}

function checkInitialize(value: JsonRecord, id: number | string): CheckedMessage {
  // It is parsed once: compiling the schema would take longer than that.
  const params = InitializeParams.safeParse(value["params"], { jitless: true });
  if (params.success) return { pass: messageOf(value) };
  return invalid(
    id,
    "initialize",
    schemaProblems(InitializeParams, value["params"], params.error.issues).map(toProblem),
  );
}

function checkResponse(value: JsonRecord, id: number | string | undefined): CheckedMessage {
  if (id === undefined || (value["result"] === undefined && !isRecord(value["error"]))) {
    return refused(id ?? null, ErrorCodes.InvalidRequest, "A message needs a `method`, a `result` or an `error`.");
  }
  const problem = sizeProblem(value, LIMITS.message);
  if (problem === undefined) return { pass: messageOf(value) };
  const message = `The answer of the client ${problem}.`;
  return { pass: messageOf({ jsonrpc: "2.0", id, error: { code: ErrorCodes.InvalidParams, message } }) };
}

const messageOf = (value: JsonRecord): Message => ({ ...value, jsonrpc: "2.0" });

const idOf = (id: unknown): number | string | undefined =>
  typeof id === "string" || (typeof id === "number" && Number.isFinite(id)) ? id : undefined;

const refused = (id: number | string | null, code: number, message: string): CheckedMessage => ({
  answer: { id, error: { code, message } },
});

function invalid(id: number | string, method: string, problems: Parameters<typeof invalidParams>[1]): CheckedMessage {
  const { rpcCode, message, data } = invalidParams(method, problems);
  return { answer: { id, error: { code: rpcCode, message, data } } };
}
