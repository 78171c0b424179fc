import { type QuickPickItem, window } from "vscode";
import { firstLine } from "../../shared/contract/message-text.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import { plainText } from "../common/plain-text.ts";
import { visibleText } from "../common/visible-text.ts";
import { distinctCalls } from "../team/identical-calls.ts";
import type { Command, Services } from "./command.ts";

/** Shows what a pending call would do, and asks the user to decide. */
export const approveTool: Command = (services, argument) =>
  withCall(services, argument, "Approve Tool Call", (ref) => services.approval.review(ref));

/** Denies a pending call, with a reason. */
export const denyTool: Command = (services, argument) =>
  withCall(services, argument, "Deny Tool Call", (ref) => services.approval.deny(ref));

/** Gives a pending call a result without running the tool. */
export const answerTool: Command = (services, argument) =>
  withCall(services, argument, "Answer Tool Call", (ref) => services.approval.respond(ref));

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
