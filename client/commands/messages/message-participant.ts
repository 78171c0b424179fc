import { type QuickPickItem, window } from "vscode";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { participantPath } from "../../common/nested-teams.ts";
import { plainText } from "../../common/plain-text.ts";
import { askText } from "../../dialogs/ask-text.ts";
import { type Addressee, addressees } from "../../messages/addressees.ts";
import type { UserMessageOptions } from "../../session/team-actions.ts";
import { ParticipantItem } from "../../status/participants-view.ts";
import { activities, iconOf, roleOf } from "../../text/activity-text.ts";
import { requireTrust } from "../../trust.ts";
import type { Command } from "../command.ts";
import { pickDelivery } from "./message-delivery.ts";

/** Sends a message to one participant: picked from a list, or given by the Participants view. */
export const messageParticipant: Command = async (services, argument) => {
  requireTrust();
  const { actions, opener } = services;
  await opener.restore();
  const to = addressIn(argument) ?? (await pickParticipant(actions.team));
  if (to === undefined) return;
  let message: string | undefined = "";
  let how: UserMessageOptions | undefined;
  // Closing the list of deliveries leads back to the text, so that it is not lost.
  while (how === undefined) {
    const choosesDelivery = actions.isRunning || actions.hasWaitingCalls;
    message = await askFor(to, choosesDelivery, message);
    if (message === undefined || message.trim() === "") return;
    how = choosesDelivery ? await pickDelivery(services, to) : {};
  }
  await actions.send(to, message, how);
};

function askFor(to: string, choosesDelivery: boolean, value: string): Thenable<string | undefined> {
  return askText({
    title: `Message ${to}`,
    prompt: choosesDelivery
      ? `Next, choose when ${to} gets it: now, at its next turn, or later.`
      : `Only ${to} replies; then the team is idle again.`,
    placeHolder: `What should ${to} know or do?`,
    value,
    valueSelection: [value.length, value.length],
    ignoreFocusOut: true,
  });
}

/** The participant that a menu, a chip of the page or another extension names. */
export function addressIn(argument: unknown): string | undefined {
  if (argument instanceof ParticipantItem) return argument.to;
  // The tree's inline and context menus pass the tree element.
  const named = typeof argument === "object" && argument !== null && "to" in argument ? argument.to : argument;
  return typeof named === "string" ? named : undefined;
}

async function pickParticipant(team: TeamState): Promise<string | undefined> {
  const items = addressees(team).map(itemFor);
  const picked = await window.showQuickPick(items, {
    title: "Message a Participant",
    placeHolder: "Select a participant",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.to;
}

function itemFor({ to, path, info }: Addressee): QuickPickItem & { readonly to: string } {
  const { label } = activities[info.activity];
  return {
    to,
    label: `$(${iconOf(info)}) ${plainText(participantPath(path, info.name))}`,
    description: plainText(roleOf(info)),
    detail: info.lastLine === undefined ? label : `${label} · ${plainText(info.lastLine)}`,
  };
}
