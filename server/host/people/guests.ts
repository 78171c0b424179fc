import { notAuthorized } from "../../../shared/contract/errors.ts";
import { isRecord } from "../../../shared/json-record.ts";

const anything = (): boolean => true;

/** Params of a request with these fields alone. */
const only =
  (...fields: readonly string[]) =>
  (params: unknown): boolean =>
    isRecord(params) && Object.entries(params).every(([name, value]) => value === undefined || fields.includes(name));

/** Of parts of a message: an image is sent along, and not one of the host's computer. */
const namesNoFile = (parts: unknown): boolean =>
  !Array.isArray(parts) ||
  parts.every((part: unknown) => isRecord(part) && (part["type"] !== "image" || /^data:/i.test(String(part["uri"]))));

/**
 * What users of other computers can ask for, besides what their roles forbid: to take part in the teams that the user of the
 * host has opened. No request names a file, a program, an endpoint or a definition, which are on the computer of the host.
 */
const OPEN_TO_GUESTS: Readonly<Record<string, (params: unknown) => boolean>> = {
  "team/open": only("teamId"),
  "team/follow": anything,
  "team/list": anything,
  "team/inspect": anything,
  "team/inspectState": anything,
  "team/events": anything,
  "team/checkpoints": anything,
  "team/commandOutput": anything,
  "team/previewInterrupt": anything,
  "team/previewMessage": anything,
  // Who decides on a call has to see what it would do.
  "team/previewTool": anything,
  "approvals/suggest": anything,
  "team/run": (params) => isRecord(params) && namesNoFile(params["task"]),
  "team/sendUserMessage": (params) => isRecord(params) && namesNoFile(params["context"]),
  "team/queue": anything,
  "team/interrupt": anything,
  "team/stop": anything,
  "team/stopCommand": anything,
  "team/resolveTools": anything,
  "reasoning/interrupt": anything,
  "team/editPlan": anything,
  "team/editMessage": anything,
  "team/rename": anything,
  "team/setRole": anything,
  "team/setApprovers": anything,
  // A model by its key in the team, and not another endpoint.
  "team/setModel": (params) => isRecord(params) && (params["model"] === null || typeof params["model"] === "string"),
  "edits/list": anything,
  "edits/changes": anything,
};

/** @throws GavelError `NotAuthorized` for what only a client on the computer of the host can ask for. */
export function assertGuestMay(method: string, params: unknown): void {
  if (OPEN_TO_GUESTS[method]?.(params) === true) return;
  throw notAuthorized(
    `This can only be done on the computer of the agent host (${method}); ask its user to do it.`,
    {},
  );
}
