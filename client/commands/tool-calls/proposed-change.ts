import { Uri } from "vscode";
import { asksInDialog } from "../../approval/approval-setting.ts";
import { accept } from "../../approval/card-decisions.ts";
import { applyChange } from "../../files/apply-code.ts";
import { requireTrust } from "../../trust.ts";
import type { Command } from "../command.ts";

/** Makes the change that a diff shows: that of the menu's editor, or the active one. */
export const acceptChange: Command = async ({ proposals, cards, approval }, argument) => {
  requireTrust();
  const proposal = proposals.shownIn(argument instanceof Uri ? argument : undefined);
  if (proposal === undefined) return;
  if (proposal.kind === "code") {
    await applyChange(proposal.change);
    await proposals.closeCode(proposal.change);
    return;
  }
  const { actions, card } = proposal.call;
  if (asksInDialog()) return approval.review(card.ref);
  const confirmed = await cards.confirmed(actions, card.ref, card.digest);
  if (confirmed === undefined) throw new Error("The file has changed since the diff was shown. Check the diff again.");
  await accept(confirmed);
};

/** Rejects the change that a diff shows. */
export const rejectChange: Command = async ({ proposals }, argument) => {
  requireTrust();
  const proposal = proposals.shownIn(argument instanceof Uri ? argument : undefined);
  if (proposal === undefined) return;
  if (proposal.kind === "code") return proposals.closeCode(proposal.change);
  const { actions, card } = proposal.call;
  await actions.resolveToolCalls(card.ref, { how: "deny" });
};
