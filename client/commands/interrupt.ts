import { window } from "vscode";
import type { InterruptReceipt } from "../../shared/contract/team.ts";
import { sideEffectsText } from "../text/interrupt-text.ts";
import type { Command } from "./command.ts";

/** Stops the team where it stands, and keeps all of it. A team at rest is left as it is. */
export const interrupt: Command = async ({ actions }) => showSideEffects(await actions.interrupt());

/** Lets the speaker finish, then ends the run. */
export const stopAfterTurn: Command = ({ actions }) => actions.stopAfterTurn();

/** Names the tools whose effects an interrupt can not have undone. */
export function showSideEffects(receipt: InterruptReceipt): void {
  const text = sideEffectsText(receipt);
  if (text !== undefined) void window.showWarningMessage(text);
}
