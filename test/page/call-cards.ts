import type { CallCard, CardBody } from "../../client/common/call-card.ts";
import type { ToPage } from "../../client/common/page-messages.ts";
import type { ChatPageDriver } from "./chat-page.ts";
import type { TeamScript } from "./team-script.ts";

export const DIGEST = "d".repeat(64);

/** What the extension answers when the page shows a pending call. */
export function cardMessage(
  { teamId }: Pick<TeamScript, "teamId">,
  ref: string,
  body: CardBody,
  more: Partial<CallCard> = {},
): Extract<ToPage, { type: "callCard" }> {
  const card = { ref, digest: DIGEST, callers: "tester", body, rules: [], scopes: [], ...more };
  return { type: "callCard", teamId, card };
}

/** A command as the card shows it. */
export const commandBody = (line: string, folder = "/home/ann/shop"): CardBody => ({
  kind: "command",
  command: { line, folder, sandbox: "It runs in the sandbox: it can change only the workspace." },
});

/** Waits until the card of a call takes decisions. */
export async function untilSettled(chat: ChatPageDriver, ref: string): Promise<void> {
  await chat.page.locator(`.pending[data-ref="${ref}"][data-settled="true"]`).waitFor();
}

/** Waits until the card of a call is complete. */
export async function untilShown(chat: ChatPageDriver, ref: string): Promise<void> {
  await chat.page.locator(`.pending[data-ref="${ref}"] .button-row`).first().waitFor();
}
