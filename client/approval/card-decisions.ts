import { isRecord } from "../../shared/json-record.ts";
import { waitingResultOf } from "../../shared/reviewed-result.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import type { CardDecision } from "../common/call-card.ts";
import { otherApproved } from "../common/people/approval-count.ts";
import { askModal } from "../dialogs/ask-modal.ts";
import { throwIfDecidedByOther } from "../session/decided-call.ts";
import type { TeamActions } from "../session/team-actions.ts";
import { requireTrust } from "../trust.ts";
import type { ApprovalDialog } from "./approval-dialog.ts";
import { asksInDialog } from "./approval-setting.ts";
import type { CallCards, ShownCall } from "./call-cards.ts";

const RUN_COMMAND = "Run Command";

/** What decisions on a card are made with. */
export interface CardServices {
  readonly actions: TeamActions;
  readonly cards: CallCards;
  readonly approval: ApprovalDialog;
}

/**
 * Takes the user's decision on a call that was shown under `digest`. A call runs only if it is still exactly what was shown;
 * otherwise it is shown as it is now, and stays pending.
 */
export async function decideOnCard(
  { actions, cards, approval }: CardServices,
  ref: string,
  digest: string,
  decision: CardDecision,
): Promise<void> {
  requireTrust();
  if (decision.how === "reject") {
    const reason = decision.reason?.trim() ?? "";
    return actions.resolveToolCalls(ref, { how: "deny", ...(reason === "" ? {} : { reason }) });
  }
  if (decision.how === "sendEdited") return actions.sendEditedResult(ref, decision.text);
  if (decision.how === "answer") return actions.resolveToolCalls(ref, { how: "respond", output: decision.output });
  const shown = await cards.confirmed(actions, ref, digest);
  if (shown === undefined) {
    // Another user was first: who, and how.
    if (actions.pendingCall(ref) === undefined) throwIfDecidedByOther(actions, ref);
    return;
  }
  switch (decision.how) {
    case "accept":
      return asksInDialog() && shown.call.review === undefined ? approval.review(ref) : accept(shown);
    case "runOutside":
      return asksInDialog() ? approval.review(ref) : actions.resolveToolCalls(ref, { how: "runOutside" });
    case "join":
      return join(shown);
    case "edit":
      return runEdited(shown, decision.command);
    case "allow": {
      const rules = shown.rules[decision.choice];
      if (rules === undefined || !shown.card.scopes.includes(decision.scope)) return;
      return actions.addApprovalRules(ref, rules, decision.scope, shown.change?.digest);
    }
  }
}

/**
 * Runs calls one after another, each if it is still what was shown. One that an earlier one has changed, such as a second
 * edit of the same file, is shown as it is now, and stays pending.
 */
export async function acceptAll(
  services: CardServices,
  calls: readonly { readonly ref: string; readonly digest: string }[],
): Promise<void> {
  for (const { ref, digest } of calls) await decideOnCard(services, ref, digest, { how: "accept" });
}

/** Runs a call that has just been confirmed. */
export function accept({ actions, call, card: { ref }, change }: ShownCall): Promise<void> {
  const result = waitingResultOf(call);
  if (result !== undefined) return actions.resolveToolCalls(ref, { how: "respond", output: result.output });
  return actions.resolveToolCalls(ref, { how: "approve", preview: change?.digest });
}

/** Approves what others have approved in place of the call, which its card shows. */
async function join({ actions, call }: ShownCall): Promise<void> {
  const other = otherApproved(call);
  if (other === undefined) return;
  const { how, value } = other;
  await actions.resolveToolCalls(
    call.ref,
    how === "restart" ? { how: "edit", input: value } : { how: "respond", output: value },
  );
}

async function runEdited({ actions, call, card: { ref } }: ShownCall, command: string): Promise<void> {
  if (!isRecord(call.input) || typeof call.input["command"] !== "string") return;
  if (asksInDialog()) {
    const answer = await askModal("Run this command?", visibleText(command).text, RUN_COMMAND);
    if (answer !== RUN_COMMAND) return;
  }
  await actions.resolveToolCalls(ref, { how: "edit", input: { ...call.input, command } });
}
