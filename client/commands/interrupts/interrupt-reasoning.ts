import { type QuickPickItem, window } from "vscode";
import * as z from "zod";
import type { ReasoningAck, ReasoningReason } from "../../../shared/contract/reasoning.ts";
import { ReasoningInterrupt } from "../../../shared/contract/requests.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { plainText } from "../../common/plain-text.ts";
import { askText } from "../../dialogs/ask-text.ts";
import { notify } from "../../dialogs/notify.ts";
import { type ReasoningInProgress, reasoningInProgress } from "../../session/reasoning-in-progress.ts";
import type { Command } from "../command.ts";

const TITLE = "Interrupt Reasoning";

/** Whose reasoning to interrupt, and the participants that lead to its nested team. */
const Wanted = z.object({ participant: z.string(), path: z.array(z.string()) });

const isOf =
  (wanted: z.infer<typeof Wanted>) =>
  ({ participant, path }: ReasoningInProgress): boolean =>
    participant === wanted.participant && path.join("/") === wanted.path.join("/");

/** Stops a participant's reasoning after its current thought, or redirects it. */
export const interruptReasoning: Command = async ({ actions, host, opener }, argument) => {
  await opener.restore();
  const { teamId, lastSeq } = actions.team;
  const wanted = Wanted.safeParse(argument);
  const open = await reasoningInProgress(host, teamId, lastSeq);
  const reasoning = await pickReasoning(wanted.success ? open.filter(isOf(wanted.data)) : open);
  if (reasoning === undefined) return;
  const reason = await pickReason(reasoning.participant);
  if (reason === undefined) return;
  const message = await askForMessage(reasoning.participant, reason);
  if (message === undefined) return;
  const acknowledged = await host.request(ReasoningInterrupt, {
    teamId,
    from: actions.user,
    to: [reasoning.participant],
    correlation_id: [reasoning.id],
    payload: { reason, ...(message === "" ? {} : { message }) },
  });
  showAnswer(acknowledged);
};

/** Asks only if several participants are reasoning. */
async function pickReasoning(open: readonly ReasoningInProgress[]): Promise<ReasoningInProgress | undefined> {
  const [first, ...others] = open;
  if (first === undefined) throw new Error("No participant is reasoning now.");
  if (others.length === 0) return first;
  const items = open.map((reasoning) => ({
    reasoning,
    label: `$(loading~spin) ${plainText(reasoning.participant)}`,
    description: plainText(reasoning.path.join(" › ")),
    detail: plainText(visibleText(reasoning.input).text),
  }));
  return (await window.showQuickPick(items, { title: TITLE, placeHolder: "Select the reasoning to interrupt" }))
    ?.reasoning;
}

type ReasonItem = QuickPickItem & { readonly reason: ReasoningReason };

const reasons: readonly ReasonItem[] = [
  {
    reason: "redirect",
    label: "$(compass) Redirect",
    detail: "Completes the current thought, then starts over with your instructions",
  },
  {
    reason: "user_request",
    label: "$(debug-stop) Stop",
    detail: "Completes the current thought, then pauses the team",
  },
  { reason: "timeout", label: "$(watch) Takes too long" },
  { reason: "resource_limit", label: "$(dashboard) Costs too much" },
  { reason: "error", label: "$(error) Is mistaken" },
  { reason: "other", label: "$(edit) Other reason…" },
];

async function pickReason(participant: string): Promise<ReasoningReason | undefined> {
  const picked = await window.showQuickPick(reasons, {
    title: `${TITLE} of ${participant}`,
    placeHolder: "Select a reason",
  });
  return picked?.reason;
}

/** The message that goes with the reason: empty if it needs none, undefined if the user cancelled. */
async function askForMessage(participant: string, reason: ReasoningReason): Promise<string | undefined> {
  if (reason !== "redirect" && reason !== "other") return "";
  const redirects = reason === "redirect";
  const message = await askText({
    title: `${TITLE} of ${participant}`,
    prompt: redirects ? `What should ${participant} think about instead?` : `Why should ${participant} stop?`,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? "Enter a message." : undefined),
  });
  return message?.trim();
}

/** Notifies the user if the reasoning does not stop; the chat shows it when it does. */
function showAnswer({ from, payload: { status, message } }: ReasoningAck): void {
  if (status === "continuing") void notify("info", `${from} continues reasoning. ${message ?? ""}`.trim());
  if (status === "ignored") void notify("warning", message ?? `${from} ignored the interrupt.`);
}
