import type { Problem } from "./problem.ts";

/** The error codes (PROTOCOL.md, "Errors"), with their JSON-RPC numbers. */
export const ERROR_CODES = {
  InvalidParams: -32602,
  UnknownTeam: -32001,
  UnknownParticipant: -32002,
  TeamBusy: -32003,
  InvalidDefinition: -32004,
  InvalidResume: -32005,
  NotAuthorized: -32006,
  ModelError: -32007,
  StorageError: -32008,
  McpError: -32009,
  RequestCancelled: -32800,
  InternalError: -32603,
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export type ErrorData = { readonly code: ErrorCode } & Readonly<Record<string, unknown>>;

/** The limit on the length of a message. Names and values in it may come from anywhere. */
const MAX_MESSAGE = 4_000;

function inOneLine(message: string): string {
  const start = message.slice(0, MAX_MESSAGE).replace(/\p{Cc}+/gu, " ");
  return message.length > MAX_MESSAGE ? `${start}…` : start;
}

/** An error that a user can see: a sentence that says what is wrong and what to do, and data (PROTOCOL.md, "Errors"). */
export class GavelError extends Error {
  override readonly name = "GavelError";
  readonly data: ErrorData;

  constructor(message: string, data: ErrorData, options?: ErrorOptions) {
    super(inOneLine(message), options);
    this.data = data;
  }

  /** Its JSON-RPC error code. */
  get rpcCode(): number {
    return ERROR_CODES[this.data.code];
  }
}

const list = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));

const summary = (problems: readonly Problem[]): string =>
  problems
    .map(({ path, message, line, column }) => {
      const place = line === undefined ? path : `${path === "" ? "" : `${path}, `}line ${line}, column ${column ?? 1}`;
      return place === "" ? message : `${place}: ${message}`;
    })
    .join("; ");

export const invalidParams = (method: string, problems: readonly Problem[]): GavelError =>
  new GavelError(`Invalid params for ${method}: ${summary(problems)}.`, { code: "InvalidParams", problems });

export const unknownTeam = (teamId: string): GavelError =>
  new GavelError(
    `Team "${teamId}" does not exist; open a team with team/open, or list the stored teams with team/list.`,
    {
      code: "UnknownTeam",
      teamId,
    },
  );

export const unknownParticipant = (name: string, known: readonly string[]): GavelError =>
  new GavelError(`The team has no participant "${name}"; its participants are ${list(known)}.`, {
    code: "UnknownParticipant",
    name,
    known,
  });

export const teamBusy = (teamId: string): GavelError =>
  new GavelError(`Team "${teamId}" is running; interrupt it, or wait until the run ends.`, {
    code: "TeamBusy",
    teamId,
  });

export const hostEnds = (teamId: string): GavelError =>
  new GavelError("The agent host is ending and starts no more runs; try again when it has been started again.", {
    code: "TeamBusy",
    teamId,
  });

export const teamBusyElsewhere = (teamId: string): GavelError =>
  new GavelError(`Team "${teamId}" is running in another Gavel host; interrupt it there, or wait until the run ends.`, {
    code: "TeamBusy",
    teamId,
  });

export const teamHostLost = (teamId: string): GavelError =>
  new GavelError(
    `The Gavel host that runs team "${teamId}" was lost before it answered; look at what the team did, and try again.`,
    { code: "TeamBusy", teamId },
  );

export const invalidDefinition = (name: string, problems: readonly Problem[]): GavelError =>
  new GavelError(
    `${name} has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}: ${summary(problems)}.`,
    { code: "InvalidDefinition", problems },
  );

export const invalidResume = (message: string, details: Readonly<Record<string, unknown>> = {}): GavelError =>
  new GavelError(message, { ...details, code: "InvalidResume" });

/** What the role of the user who asks does not allow. */
export const notAuthorized = (message: string, details: Readonly<Record<string, unknown>> = {}): GavelError =>
  new GavelError(message, { ...details, code: "NotAuthorized" });

/** What is known of a failed model request; `fix` names what the user has to correct, for a button that goes there. */
export interface ModelErrorDetails {
  readonly status?: number | undefined;
  readonly retryable: boolean;
  readonly fix?: "apiKey" | "teamFile" | "endpoint" | "network" | undefined;
  readonly secret?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
}

export const modelError = (message: string, details: ModelErrorDetails, options?: ErrorOptions): GavelError =>
  new GavelError(message, { ...details, code: "ModelError" }, options);

export const storageError = (message: string, options?: ErrorOptions): GavelError =>
  new GavelError(message, { code: "StorageError" }, options);

/** `why` is a clause for a request that the client did not cancel itself. */
export const requestCancelled = (method: string, why?: string): GavelError =>
  new GavelError(`${method} was cancelled${why === undefined ? "" : `: ${why}`}.`, { code: "RequestCancelled" });

/** The text of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The error of the protocol that a JSON-RPC error with this data is; undefined if it is none. */
export function gavelErrorOf(message: string, data: unknown, options?: ErrorOptions): GavelError | undefined {
  return isErrorData(data) ? new GavelError(message, data, options) : undefined;
}

function isErrorData(data: unknown): data is ErrorData {
  return typeof data === "object" && data !== null && "code" in data && isErrorCode(data.code);
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(ERROR_CODES, code);
}
