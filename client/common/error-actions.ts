import { FIX_UNTIL_0_3 } from "../../shared/contract/old-names.ts";

/** The commands that an error's buttons run; `argument` of {@link ErrorAction} goes to them. */
export const errorActionCommands = [
  "setApiKey",
  "openTeamFile",
  "openSettings",
  "retry",
  "restartHost",
  "stopHost",
  "openTeam",
  "showLog",
  "showProblems",
  "manageTrust",
  "selectModel",
  "checkSetup",
] as const;

export type ErrorActionCommand = (typeof errorActionCommands)[number];

/** Something that a user can do about an error: a button that runs a command, with its argument. */
export interface ErrorAction {
  readonly label: string;
  readonly command: ErrorActionCommand;
  readonly argument?: string;
}

const tryAgain: ErrorAction = { label: "Try Again", command: "retry" };
const checkSetup: ErrorAction = { label: "Check Setup", command: "checkSetup" };
const showLog: ErrorAction = { label: "Show Log", command: "showLog" };

/** What a user can do while the agent host is down. */
export const hostDownActions: readonly ErrorAction[] = [{ label: "Restart Host", command: "restartHost" }, showLog];

/** What a user can do about a host that runs and cannot be joined. */
export const runningHostActions: readonly ErrorAction[] = [
  { label: "Stop That Host", command: "stopHost" },
  { label: "Try Again", command: "restartHost" },
];

/**
 * What a user can do about an error, the likeliest first; none where there is nothing but to read it.
 * @param data the error's `data`, as a failed request or an `error` event has it; it may hold anything.
 * @param teamFile the URI of the file that defines the team at fault, where there is one.
 */
export function errorActions(
  data: Readonly<Record<string, unknown>>,
  teamFile: string | undefined,
): readonly ErrorAction[] {
  switch (data["code"]) {
    case "ModelError":
      return modelErrorActions(data, teamFile);
    case "InvalidDefinition":
      return teamFile === undefined ? [] : [openTeamFile(teamFile, data)];
    case "UnknownTeam":
      return [{ label: "Open Team", command: "openTeam" }];
    case "StorageError":
    case "InternalError":
      return [showLog];
    default:
      return data["retryable"] === true ? [tryAgain] : [];
  }
}

/** A failed model request names what was wrong: its key, its endpoint or its settings. */
function modelErrorActions(
  data: Readonly<Record<string, unknown>>,
  teamFile: string | undefined,
): readonly ErrorAction[] {
  // A model that no team file names comes from the settings.
  const settings: ErrorAction =
    teamFile === undefined ? { label: "Open Settings", command: "openSettings" } : openTeamFile(teamFile, data);
  const retryable = data["retryable"] === true;
  switch (data["fix"] ?? data[FIX_UNTIL_0_3]) {
    case "apiKey":
      return [setApiKey(data["secret"]), tryAgain, checkSetup];
    case "endpoint":
      return [tryAgain, settings, checkSetup];
    case "network":
      return [{ label: "Open Settings", command: "openSettings", argument: "http.proxy" }, tryAgain];
    case "teamFile":
      return retryable ? [settings, tryAgain] : [settings];
    default:
      return retryable ? [tryAgain] : [];
  }
}

function setApiKey(secret: unknown): ErrorAction {
  return { label: "Set API Key", command: "setApiKey", ...(typeof secret === "string" ? { argument: secret } : {}) };
}

function openTeamFile(uri: string, { problems }: Readonly<Record<string, unknown>>): ErrorAction {
  return { label: "Edit Team File", command: "openTeamFile", argument: uri + locationOf(problems) };
}

/** Where the first problem with a line is, as the fragment by which `openTeamFile` goes there: `#L3,1`, both from 1. */
function locationOf(problems: unknown): string {
  for (const problem of Array.isArray(problems) ? (problems as readonly unknown[]) : []) {
    if (typeof problem !== "object" || problem === null || !("line" in problem)) continue;
    if (typeof problem.line !== "number") continue;
    const column = "column" in problem && typeof problem.column === "number" ? problem.column : 1;
    return `#L${problem.line},${column}`;
  }
  return "";
}
