import { type QuickPickItem, window } from "vscode";
import { firstLine } from "../../shared/contract/message-text.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import { visibleText } from "../common/visible-text.ts";
import { distinctCalls } from "../team/identical-calls.ts";
import type { Command, Services } from "./command.ts";

/** Shows what a pending call would do, and asks whether it may. */
export const approveTool: Command = (services, argument) =>
  withCall(services, argument, "Approve a Tool Call", (ref) => services.approval.review(ref));

/** Denies a pending call, with a reason. */
export const denyTool: Command = (services, argument) =>
  withCall(services, argument, "Deny a Tool Call", (ref) => services.approval.deny(ref));

/** Gives a pending call its result in the tool's place. */
export const answerTool: Command = (services, argument) =>
  withCall(services, argument, "Answer a Tool Call", (ref) => services.approval.respond(ref));

async function withCall(
  { actions, opener }: Services,
  argument: unknown,
  title: string,
  rule: (ref: string) => Promise<void>,
): Promise<void> {
  await opener.restore();
  const ref = typeof argument === "string" ? argument : await pick(distinctCalls(actions.team.pendingTools), title);
  if (ref !== undefined) await rule(ref);
}

/** One call is not asked about; of several the user picks one. */
async function pick(calls: readonly PendingTool[], title: string): Promise<string | undefined> {
  const [first, ...others] = calls;
  if (first === undefined) throw new Error("No tool call waits for a ruling.");
  if (others.length === 0) return first.ref;
  const picked = await window.showQuickPick(calls.map(itemFor), {
    title,
    placeHolder: "Which call?",
    matchOnDetail: true,
  });
  return picked?.ref;
}

function itemFor({ ref, name, participant, input }: PendingTool): QuickPickItem & { readonly ref: string } {
  const detail = firstLine(visibleText(JSON.stringify(input) ?? "").text, 200);
  return { ref, label: name, description: participant, detail };
}
