import type { Mend } from "../common/page-messages.ts";
import type { ErrorItem } from "../common/timeline/items.ts";
import { isRecord } from "./tool-text.ts";

/** The buttons that go where an error is mended, the likeliest first. */
export function mendsOf({ data }: Pick<ErrorItem, "data">, teamUri: string | undefined): readonly Mend[] {
  const retry: Mend = { label: "Try again", command: "retry" };
  switch (mendNameOf(data)) {
    case "apiKey":
      return [
        {
          label: "Set API Key",
          command: "setApiKey",
          ...(typeof data["secret"] === "string" ? { argument: data["secret"] } : {}),
        },
        retry,
      ];
    case "teamFile": {
      const place = teamUri === undefined ? undefined : teamUri + lineOf(data);
      return [
        { label: "Open Team File", command: "openTeamFile", ...(place === undefined ? {} : { argument: place }) },
      ];
    }
    case "endpoint":
      return [retry];
    case "log":
      return [{ label: "Show Log", command: "showLog" }];
    default:
      return data["retryable"] === true ? [retry] : [];
  }
}

/** An error that does not name its mend is mended where its code says. */
function mendNameOf(data: ErrorItem["data"]): unknown {
  if (data["mend"] !== undefined) return data["mend"];
  if (data["code"] === "InvalidDefinition") return "teamFile";
  return data["code"] === "StorageError" || data["code"] === "InternalError" ? "log" : undefined;
}

/** Where the first fault with a place stands, as the fragment that the extension opens a file at. */
function lineOf(data: ErrorItem["data"]): string {
  const problems: readonly unknown[] = Array.isArray(data["problems"]) ? data["problems"] : [];
  for (const problem of problems) {
    if (!isRecord(problem) || typeof problem["line"] !== "number") continue;
    return `#L${problem["line"]},${typeof problem["column"] === "number" ? problem["column"] : 1}`;
  }
  return "";
}
