import { type QuickPickItem, window } from "vscode";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { participantPath } from "../../../shared/text/nested-teams.ts";
import { addresseeName } from "../../common/addressee-name.ts";
import { plainText } from "../../common/plain-text.ts";
import { askText } from "../../dialogs/ask-text.ts";
import { pickHandoff } from "../../dialogs/pick-handoff.ts";
import { type Addressee, addressees } from "../../messages/addressees.ts";
import type { TeamActions } from "../../session/team-actions.ts";
import { ParticipantItem } from "../../status/participants-view.ts";
import { activities, iconOf, roleOf } from "../../text/activity-text.ts";
import { requireTrust } from "../../trust.ts";
import type { Command, Services } from "../command.ts";
import { pickDelivery } from "./message-delivery.ts";

/**
 * Sends a message to one participant or to the whole team: picked from a list, or given by the Participants view. A running
 * team gets it when the user says; one at rest starts with a message to all.
 */
export const messageParticipant: Command = async (services, argument) => {
  requireTrust();
  const { actions, opener } = services;
  await opener.restore();
  const named = addressIn(argument);
  const addressee = named === undefined ? await pickAddressee(actions.team) : { to: named };
  if (addressee === undefined) return;
  const { to } = addressee;
  let message: string | undefined = "";
  let send: (() => Promise<void>) | undefined;
  // Closing the list of deliveries, or of handoffs, leads back to the text, so that it is not lost.
  while (send === undefined) {
    message = await askFor(to, isBusy(actions), message);
    if (message === undefined || message.trim() === "") return;
    send = await sendingOf(services, to, message);
  }
  await send();
};

/** What sends the message, once the user has said how; undefined when a list was closed. */
async function sendingOf(
  services: Services,
  to: string | undefined,
  message: string,
): Promise<(() => Promise<void>) | undefined> {
  const { actions } = services;
  if (isBusy(actions)) {
    const how = await pickDelivery(services, to);
    if (how === undefined) return undefined;
    return () => (to === undefined ? actions.sendToTeam(message, how) : actions.send(to, message, how));
  }
  if (to !== undefined) return () => actions.send(to, message);
  const choice = await pickHandoff(actions.userParticipant);
  return choice && (() => actions.run(message, choice));
}

/** Whether a message can be delivered in several ways. */
const isBusy = ({ isRunning, hasWaitingCalls }: TeamActions): boolean => isRunning || hasWaitingCalls;

function askFor(to: string | undefined, choosesDelivery: boolean, value: string): Thenable<string | undefined> {
  const who = addresseeName(to);
  const atRest = to === undefined ? "The team starts with it." : `Only ${to} replies; then the team is idle again.`;
  return askText({
    title: `Message ${who}`,
    prompt: choosesDelivery ? `Next, choose when ${who} gets it: now, at its next turn, or later.` : atRest,
    placeHolder: `What should ${who} know or do?`,
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

type AddresseeItem = QuickPickItem & { readonly to?: string };

/** Asks who gets the message; without `to` it is the whole team. Undefined when the list was closed. */
async function pickAddressee(team: TeamState): Promise<AddresseeItem | undefined> {
  const participants = addressees(team);
  const wholeTeam: AddresseeItem = {
    label: "$(organization) Whole team",
    description: countText(team.participants.length, "participant"),
    detail: "Every participant sees it, and the team goes on with it",
  };
  return window.showQuickPick<AddresseeItem>([wholeTeam, ...participants.map(itemFor)], {
    title: "Message a Participant",
    placeHolder: "Select a participant, or the whole team",
    matchOnDescription: true,
    matchOnDetail: true,
  });
}

function itemFor({ to, path, info }: Addressee): AddresseeItem {
  const { label } = activities[info.activity];
  return {
    to,
    label: `$(${iconOf(info)}) ${plainText(participantPath(path, info.name))}`,
    description: plainText(roleOf(info)),
    detail: info.lastLine === undefined ? label : `${label} · ${plainText(info.lastLine)}`,
  };
}
