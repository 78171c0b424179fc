import { type QuickPickItem, window } from "vscode";
import type { ReasoningAck, ReasoningReason } from "../../shared/contract/reasoning.ts";
import { ReasoningInterrupt } from "../../shared/contract/requests.ts";
import { visibleText } from "../common/visible-text.ts";
import { USER_ID } from "../host/host-options.ts";
import { type ReasoningInProgress, reasoningInProgress } from "../team/reasoning-in-progress.ts";
import type { Command } from "./command.ts";

const TITLE = "Interrupt Reasoning";

/** Ends the thought that a participant is at, and the reasoning with it; or gives it another direction. */
export const interruptReasoning: Command = async ({ actions, host, opener }) => {
  await opener.restore();
  const { teamId, lastSeq } = actions.team;
  const reasoning = await pickReasoning(await reasoningInProgress(host, teamId, lastSeq));
  if (reasoning === undefined) return;
  const reason = await pickReason(reasoning.participant);
  if (reason === undefined) return;
  const message = await askForMessage(reasoning.participant, reason);
  if (message === undefined) return;
  const acknowledged = await host.request(ReasoningInterrupt, {
    teamId,
    from: USER_ID,
    to: [reasoning.participant],
    correlation_id: [reasoning.id],
    payload: { reason, ...(message === "" ? {} : { message }) },
  });
  showAnswer(acknowledged);
};

/** One who reasons alone is not asked about. */
async function pickReasoning(open: readonly ReasoningInProgress[]): Promise<ReasoningInProgress | undefined> {
  const [first, ...others] = open;
  if (first === undefined) throw new Error("Nobody is reasoning now.");
  if (others.length === 0) return first;
  const items = open.map((reasoning) => ({
    reasoning,
    label: `$(loading~spin) ${reasoning.participant}`,
    description: reasoning.path.join(" › "),
    detail: visibleText(reasoning.input).text,
  }));
  return (await window.showQuickPick(items, { title: TITLE, placeHolder: "Whose reasoning?" }))?.reasoning;
}

type ReasonItem = QuickPickItem & { readonly reason: ReasoningReason };

const reasons: readonly ReasonItem[] = [
  {
    reason: "redirect",
    label: "$(compass) Give another direction",
    detail: "The thought is completed; then it begins anew with what you say.",
  },
  {
    reason: "user_request",
    label: "$(debug-stop) I want it to stop",
    detail: "The thought is completed; then the team waits for you.",
  },
  { reason: "timeout", label: "$(watch) It takes too long" },
  { reason: "resource_limit", label: "$(dashboard) It costs too much" },
  { reason: "error", label: "$(error) It is mistaken" },
  { reason: "other", label: "$(edit) Another reason…" },
];

async function pickReason(participant: string): Promise<ReasoningReason | undefined> {
  const picked = await window.showQuickPick(reasons, { title: `${TITLE} of ${participant}`, placeHolder: "Why?" });
  return picked?.reason;
}

/** What goes with the reason: empty where it says all, undefined where the user has changed their mind. */
async function askForMessage(participant: string, reason: ReasoningReason): Promise<string | undefined> {
  if (reason !== "redirect" && reason !== "other") return "";
  const redirects = reason === "redirect";
  const message = await window.showInputBox({
    title: `${TITLE} of ${participant}`,
    prompt: redirects ? `What ${participant} should think about instead.` : `Why ${participant} should stop.`,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? "Say it in a few words." : undefined),
  });
  return message?.trim();
}

/** What goes on is told; what stops is seen in the chat. */
function showAnswer({ from, payload: { status, message } }: ReasoningAck): void {
  if (status === "continuing")
    void window.showInformationMessage(`${from} goes on with its reasoning. ${message ?? ""}`.trim());
  if (status === "ignored") void window.showWarningMessage(message ?? `${from} took no notice.`);
}
