import { GavelError } from "../../shared/contract/errors.ts";
import type { Mend } from "../common/page-messages.ts";
import { HostDownError } from "../host/host-errors.ts";
import { MendedError } from "./mended-error.ts";

/** The button that goes where an error is mended, when there is such a place. `teamFile` is the file of the team at fault. */
export function mendFor(error: unknown, teamFile?: string): Mend | undefined {
  if (error instanceof MendedError) return error.mend;
  if (error instanceof HostDownError) return { label: "Restart Host", command: "retry" };
  return error instanceof GavelError ? mendForData(error.data, teamFile) : undefined;
}

/** The same from the `data` of an `error` event. */
export function mendForData(data: Readonly<Record<string, unknown>>, teamFile?: string): Mend | undefined {
  const openFile: Mend | undefined =
    teamFile === undefined ? undefined : { label: "Open Team File", command: "openTeamFile", argument: teamFile };
  switch (data["code"]) {
    case "InvalidDefinition":
      return openFile;
    case "ModelError":
      return mendForModel(data, openFile);
    case "UnknownTeam":
      return { label: "Open Team", command: "openTeam" };
    case "StorageError":
    case "InternalError":
      return { label: "Show Log", command: "showLog" };
    default:
      return undefined;
  }
}

function mendForModel(data: Readonly<Record<string, unknown>>, openFile: Mend | undefined): Mend | undefined {
  const secret = data["secret"];
  switch (data["mend"]) {
    case "apiKey":
      return {
        label: "Set API Key",
        command: "setApiKey",
        ...(typeof secret === "string" ? { argument: secret } : {}),
      };
    case "endpoint":
    case "teamFile":
      return openFile ?? { label: "Open Settings", command: "openSettings" };
    default:
      return data["retryable"] === true ? { label: "Try Again", command: "retry" } : undefined;
  }
}
