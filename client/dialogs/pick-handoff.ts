import { type QuickPickItem, window } from "vscode";
import type { ParticipantInfo } from "../../shared/contract/team.ts";
import { plainText } from "../common/plain-text.ts";

/** The user's choice of who speaks after a user participant; without a handoff, the team decides. */
export interface HandoffChoice {
  readonly handoff?: string;
}

/** Asks who speaks after a user participant; asks nothing if it has no handoffs. Undefined if the list was closed. */
export async function pickHandoff(participant: ParticipantInfo | undefined): Promise<HandoffChoice | undefined> {
  const { name = "", handoffs = [] } = participant ?? {};
  if (handoffs.length === 0) return {};
  const items: (QuickPickItem & { readonly choice: HandoffChoice })[] = [
    { label: "$(reply) No Handoff", description: "The team decides who speaks next", choice: {} },
    ...handoffs.map(({ target, description }) => ({
      label: `$(arrow-right) ${plainText(target)}`,
      ...(description === undefined ? {} : { description: plainText(description) }),
      choice: { handoff: target },
    })),
  ];
  const picked = await window.showQuickPick(items, {
    title: `Speak as ${plainText(name)}`,
    placeHolder: "Select who speaks next",
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked?.choice;
}
