import type { InterruptReceipt } from "../../../shared/contract/team.ts";
import { notify } from "../../dialogs/notify.ts";
import { sideEffectsText } from "../../text/interrupt-text.ts";
import type { Command } from "../command.ts";

/** Interrupts the team at once and keeps what it has done. Does nothing to a team that is not running. */
export const interrupt: Command = async ({ actions }) => showSideEffects(await actions.interrupt());

/** Ends the run after the current turn. */
export const stopAfterTurn: Command = ({ actions }) => actions.stopAfterTurn();

/** Takes that back. */
export const keepRunning: Command = ({ actions }) => actions.keepRunning();

/** Warns about tools that may have had effects before they were interrupted. */
export function showSideEffects(receipt: InterruptReceipt): void {
  const text = sideEffectsText(receipt);
  if (text !== undefined) void notify("warning", text);
}
