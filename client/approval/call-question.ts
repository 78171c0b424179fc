import { createHash } from "node:crypto";
import type { ApprovalSubject } from "../../shared/contract/approval.ts";
import type { FileChange, ToolPreview } from "../../shared/contract/inspection.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import { isRecord } from "../../shared/json-record.ts";
import { resultText, waitingResultOf } from "../../shared/reviewed-result.ts";
import type { CallCard, CardBody, RuleScope } from "../common/call-card.ts";
import { outsideQuestionOf } from "../common/outside-question.ts";
import { otherApproved } from "../common/people/approval-count.ts";
import { hasWorkspace } from "../host/host-options.ts";
import { callerNames } from "../session/identical-calls.ts";
import type { TeamActions } from "../session/team-actions.ts";
import { commandOfCall } from "../text/command-input.ts";
import { OUTSIDE_MEANS, sandboxText } from "../text/sandbox-text.ts";
import { asksInDialog } from "./approval-setting.ts";
import { describedRules, isShowable } from "./described-rules.ts";
import { shownEdit, shownEdits } from "./shown-edit.ts";

/** An input that is longer than this, in characters of its JSON, is read in an editor. */
const MAX_INPUT = 20_000;

/** A file that a call would write: its content now, and after the call. */
export type FilePreview = Extract<ToolPreview, { readonly after: string }> &
  Partial<Pick<FileChange, "deleted" | "movedFrom">>;

/** The files that a call would write. */
export interface CallChange {
  readonly files: readonly FilePreview[];
  readonly digest?: string | undefined;
}

/** What a call would change; undefined for one that changes no file that it can name. */
export function changeIn(preview: ToolPreview): CallChange | undefined {
  if (preview === null) return undefined;
  if ("files" in preview) return preview;
  return "after" in preview ? { files: [preview], digest: preview.digest } : undefined;
}

/** What the user is asked about a pending call, as everything is now. */
export interface CallQuestion {
  readonly call: PendingTool;
  readonly card: CallCard;
  readonly change: CallChange | undefined;
  /** The rules of each choice of the card. */
  readonly rules: readonly (readonly ApprovalSubject[])[];
}

/** Asks the host what a pending call would do. Undefined when the call is not pending any more. */
export async function questionOf(actions: TeamActions, ref: string): Promise<CallQuestion | undefined> {
  const call = actions.pendingCall(ref);
  if (call === undefined) return undefined;
  const isApproval = call.approval === true;
  const asksAgain = asksInDialog();
  const [preview, suggested] = await Promise.all([
    isApproval ? actions.previewTool(ref) : null,
    isApproval && !asksAgain ? actions.suggestedRules(ref) : [],
  ]);
  const rules = suggested.filter(isShowable);
  const callers = callerNames(actions.identicalCalls(ref));
  const shown = {
    ref,
    callers,
    ...(callers === call.participant ? {} : { isShared: true as const }),
    body: bodyOf(call, preview, commandFolder(actions)),
    ...(preview !== null && "problem" in preview ? { problem: preview.problem } : {}),
    rules: rules.map((choice) => {
      const { label, shown, isExact } = describedRules(choice);
      return { label, rules: isExact ? [] : shown };
    }),
    scopes: rules.length === 0 ? [] : ruleScopes(actions),
    ...(asksAgain ? { asksAgain: true as const } : {}),
    ...otherApprovedOf(call),
  };
  const change = changeIn(preview);
  const digest = createHash("sha256")
    .update(JSON.stringify([call.name, call.input, shown, change?.digest]))
    .digest("hex");
  return { call, card: { ...shown, digest }, change, rules };
}

/** What others have approved in place of the call, as the card shows it. */
function otherApprovedOf(call: PendingTool): Pick<CallCard, "otherApproved"> {
  const other = otherApproved(call);
  if (other === undefined) return {};
  const text = textOf(other.value);
  return {
    otherApproved: { how: other.how, text: text.slice(0, MAX_INPUT), isWhole: text.length <= MAX_INPUT },
  };
}

/** The command of an input that is one and nothing else, or its JSON. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const fields = isRecord(value) ? Object.keys(value) : [];
  const command = isRecord(value) && fields.length === 1 ? value["command"] : undefined;
  return typeof command === "string" ? command : (JSON.stringify(value, null, 2) ?? "none");
}

/** The scopes that a rule of the team can have in this window, the narrowest first. */
export function ruleScopes({ place }: TeamActions): readonly RuleScope[] {
  return hasWorkspace() && !place.isScratch ? ["run", "workspace", "always"] : ["run", "always"];
}

/** The default working directory of a command: the first of the team's folders, as for the host. */
export function commandFolder({ place }: TeamActions): string {
  return place.folders[0]?.uri.fsPath ?? "(no folder open)";
}

function bodyOf(call: PendingTool, preview: ToolPreview, folder: string): CardBody {
  const { name, input } = call;
  const result = waitingResultOf(call);
  if (result !== undefined) {
    const text = resultText(result.output);
    return { kind: "result", text: text.slice(0, MAX_INPUT), characters: text.length, isError: result.isError };
  }
  if (preview !== null && "after" in preview) return { kind: "edit", edit: shownEdit(preview) };
  if (preview !== null && "files" in preview) {
    const [first, ...rest] = preview.files;
    if (first !== undefined && rest.length === 0) return { kind: "edit", edit: shownEdit(first) };
    return { kind: "edits", edits: shownEdits(preview.files) };
  }
  const command = commandOfCall(call, folder);
  if (command !== undefined) {
    const sandbox = outsideQuestionOf(call) === undefined ? sandboxText(preview) : OUTSIDE_MEANS;
    return { kind: "command", command: { ...command, ...(sandbox === undefined ? {} : { sandbox }) } };
  }
  const page = name === "webFetch" ? pageOf(input) : undefined;
  if (page !== undefined) return page;
  const characters = JSON.stringify(input)?.length ?? 0;
  return characters > MAX_INPUT ? { kind: "long", characters } : { kind: "input", input };
}

/** The page that `webFetch` would read; undefined for an input that is not its own. */
function pageOf(input: unknown): CardBody | undefined {
  const url = isRecord(input) && typeof input["url"] === "string" ? input["url"] : "";
  const host = URL.parse(url)?.host;
  return host === undefined ? undefined : { kind: "page", url, host };
}
