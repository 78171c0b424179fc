import type { PermissionOption, RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { ApprovalSubject } from "../../shared/contract/approval.ts";
import { ruleText } from "../../shared/contract/approval-text.ts";
import type { ParamsOf } from "../../shared/contract/message-type.ts";
import { ApprovalsSuggest, TeamPreviewTool, TeamResolveTools } from "../../shared/contract/requests.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import { resultText, type WaitingResult, waitingResultOf } from "../../shared/reviewed-result.ts";
import { approvalOf, changesOf, digestOf } from "../run/previews.ts";
import type { Thread } from "../run/thread.ts";
import { shownCode, shownCommand, shownLine } from "../text/shown-text.ts";
import { diffs, toolCall } from "./tool-updates.ts";

type Answers = ParamsOf<typeof TeamResolveTools>;

/** Asks the user of an ACP client. */
export type AskClient = (request: RequestPermissionRequest) => Promise<RequestPermissionResponse>;

const ALLOW: PermissionOption = { optionId: "allow", name: "Allow", kind: "allow_once" };
const REJECT: PermissionOption = { optionId: "reject", name: "Reject", kind: "reject_once" };

/** How long a rule of an option applies, and how the option begins. */
const SCOPES = [
  ["run", "Allow in this run"],
  ["workspace", "Always allow in this folder"],
] as const;

/**
 * Asks the client's user about a call, with exactly what it would do, and applies the answer.
 * @returns false when the client cancelled the question: the call still waits.
 */
export async function askAboutCall(
  thread: Thread,
  call: PendingTool,
  folder: string,
  ask: AskClient,
): Promise<boolean> {
  const result = waitingResultOf(call);
  if (result !== undefined) return askAboutResult(thread, call, result, ask);
  const { host, teamId } = thread;
  const { ref } = call;
  const preview = await host.request(TeamPreviewTool, { teamId, ref });
  const { choices } = await host.request(ApprovalsSuggest, { teamId, ref });
  const narrowest = choices[0]?.rules;
  const changes = diffs(changesOf(preview), folder);
  const why = call.reason === undefined ? [] : [textContent(shownLine(call.reason))];
  const what = changes.length > 0 ? changes : [textContent(inputText(call))];
  const { outcome } = await ask({
    sessionId: teamId,
    toolCall: {
      toolCallId: ref,
      status: "pending",
      ...toolCall(call.name, call.input, folder),
      title: shownLine(`${call.participant}: ${toolCall(call.name, call.input, folder).title}`),
      content: [...why, ...what],
    },
    options: [ALLOW, ...(narrowest === undefined ? [] : ruleOptions(narrowest)), REJECT],
  });
  if (outcome.outcome === "cancelled") return false;
  const scope = SCOPES.find(([name]) => name === outcome.optionId)?.[0];
  if (scope !== undefined && narrowest !== undefined) {
    const digest = digestOf(preview);
    const team = scope === "run" ? { team: teamId } : {};
    for (const rule of narrowest) {
      const shown = digest === undefined ? undefined : { ref, preview: digest };
      await thread.addRule({ ...rule, decision: "allow", scope, ...team }, shown);
    }
  }
  if (thread.state.pendingTools.every((pending) => pending.ref !== ref)) return true;
  // What is no option of ours allows nothing.
  const isAllowed = scope !== undefined || outcome.optionId === ALLOW.optionId;
  const answers = isAllowed ? { restart: [{ ref, ...approvalOf(preview, call) }] } : { deny: [{ ref }] };
  await resolved(thread, ref, answers);
  return true;
}

/** Asks whether the model gets a result that waits for review. A client of this protocol cannot edit it. */
async function askAboutResult(thread: Thread, call: PendingTool, result: WaitingResult, ask: AskClient) {
  const { ref, name, participant } = call;
  const { output, isError } = result;
  const { outcome } = await ask({
    sessionId: thread.teamId,
    toolCall: {
      toolCallId: ref,
      status: "pending",
      title: shownLine(`Send the ${isError ? "error" : "result"} of ${name} to ${participant}?`),
      content: [textContent(shownCode(resultText(output)))],
    },
    options: [
      { ...ALLOW, name: "Send Result" },
      { ...REJECT, name: "Withhold" },
    ],
  });
  if (outcome.outcome === "cancelled") return false;
  const isSent = outcome.optionId === ALLOW.optionId;
  await resolved(thread, ref, isSent ? { respond: [{ ref, output }] } : { deny: [{ ref }] });
  return true;
}

/** Resolves when the answer is taken; the run that it continues goes on. */
async function resolved(thread: Thread, ref: string, answers: Omit<Answers, "teamId">): Promise<void> {
  const { host, teamId } = thread;
  const request = thread.during(host.request(TeamResolveTools, { teamId, ...answers }));
  await Promise.race([request, thread.until(({ pendingTools }) => pendingTools.every((one) => one.ref !== ref))]);
}

const ruleOptions = (rules: readonly ApprovalSubject[]): PermissionOption[] =>
  SCOPES.map(([scope, text]) => ({
    optionId: scope,
    name: shownLine(`${text}: ${rules.map(ruleText).join("; ")}`),
    kind: "allow_always",
  }));

const textContent = (text: string) => ({ type: "content", content: { type: "text", text } }) as const;

/** The whole input, with nothing invisible in it. */
const inputText = ({ input }: PendingTool): string =>
  shownCommand(typeof input === "string" ? input : (JSON.stringify(input, null, 2) ?? ""));

/** A question that is no tool call of the team's, such as whether an endpoint may be used. */
export async function askWhether(
  sessionId: string,
  question: { readonly id: string; readonly title: string; readonly detail: readonly string[] },
  ask: AskClient,
): Promise<boolean> {
  const { outcome } = await ask({
    sessionId,
    toolCall: {
      toolCallId: question.id,
      title: shownLine(question.title),
      kind: "other",
      status: "pending",
      content: question.detail.map((text) => textContent(shownCommand(text))),
    },
    options: [ALLOW, REJECT],
  });
  return outcome.outcome === "selected" && outcome.optionId === ALLOW.optionId;
}
