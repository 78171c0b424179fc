import { type QuickPickItem, window } from "vscode";
import { firstLine } from "../../../shared/contract/message-text.ts";
import type { PendingTool } from "../../../shared/contract/team.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { asksInDialog } from "../../approval/approval-setting.ts";
import { plainText } from "../../common/plain-text.ts";
import { distinctCalls } from "../../session/identical-calls.ts";
import type { Command, Services } from "../command.ts";

/** Shows what a pending call would do, for the user to decide: its card with the focus on the button, or a dialog. */
export const approveTool: Command = (services, argument) =>
  asksInDialog()
    ? withCall(services, argument, "Approve Tool Call", (ref) => services.approval.review(ref))
    : revealCard(services, argument, "accept");

/** Rejects a pending call: its card with the focus on the button, or an input box for the reason. */
export const denyTool: Command = (services, argument) =>
  asksInDialog()
    ? withCall(services, argument, "Reject Tool Call", (ref) => services.approval.deny(ref))
    : revealCard(services, argument, "reject");

/** Gives a pending call a result without running the tool. */
export const answerTool: Command = (services, argument) =>
  withCall(services, argument, "Answer Tool Call", (ref) => services.approval.respond(ref));

/** Shows the card of a call, the first one without a ref. */
async function revealCard(
  { actions, opener, chat }: Services,
  argument: unknown,
  decision: "accept" | "reject",
): Promise<void> {
  await opener.restore();
  if (actions.team.pendingTools.length === 0) throw new Error("There are no pending tool calls.");
  const ref = typeof argument === "string" ? { ref: argument } : {};
  await chat.reveal({ type: "revealCall", decision, ...ref });
}

async function withCall(
  { actions, opener }: Services,
  argument: unknown,
  title: string,
  resolve: (ref: string) => Promise<void>,
): Promise<void> {
  await opener.restore();
  const ref = typeof argument === "string" ? argument : await pick(distinctCalls(actions.team.pendingTools), title);
  if (ref !== undefined) await resolve(ref);
}

/** Asks only if several calls are pending. */
async function pick(calls: readonly PendingTool[], title: string): Promise<string | undefined> {
  const [first, ...others] = calls;
  if (first === undefined) throw new Error("There are no pending tool calls.");
  if (others.length === 0) return first.ref;
  const picked = await window.showQuickPick(calls.map(itemFor), {
    title,
    placeHolder: "Select a tool call",
    matchOnDetail: true,
  });
  return picked?.ref;
}

function itemFor({ ref, name, participant, input }: PendingTool): QuickPickItem & { readonly ref: string } {
  const detail = firstLine(visibleText(JSON.stringify(input) ?? "").text, 200);
  return { ref, label: plainText(name), description: plainText(participant), detail: plainText(detail) };
}
