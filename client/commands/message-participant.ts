import { type QuickPickItem, window } from "vscode";
import type { ParticipantInfo } from "../../shared/contract/team.ts";
import { activities, roleOf } from "../participants/activity.ts";
import { ParticipantItem } from "../participants/participants-view.ts";
import { requireTrust } from "../trust.ts";
import type { Command } from "./command.ts";

/** Sends a message to one participant: picked from a list with role, state and last line, or given by the participants view. */
export const messageParticipant: Command = async ({ actions, opener }, argument) => {
  requireTrust();
  await opener.restore();
  const to = nameIn(argument) ?? (await pickParticipant(actions.team.participants));
  if (to === undefined) return;
  const running = actions.team.status === "running";
  const message = await window.showInputBox({
    title: `Message ${to}`,
    prompt: running
      ? `The speaker is interrupted, ${to} answers, then the team goes on.`
      : `Only ${to} answers; then the team rests again.`,
    placeHolder: `What should ${to} know or do?`,
    ignoreFocusOut: true,
  });
  if (message !== undefined && message.trim() !== "") await actions.send(to, message);
};

function nameIn(argument: unknown): string | undefined {
  if (argument instanceof ParticipantItem) return argument.participant;
  // The tree's inline and context menus hand over the element itself.
  const named = typeof argument === "object" && argument !== null && "name" in argument ? argument.name : argument;
  return typeof named === "string" ? named : undefined;
}

async function pickParticipant(participants: readonly ParticipantInfo[]): Promise<string | undefined> {
  const items = participants.filter(({ kind }) => kind !== "user").map(itemFor);
  const picked = await window.showQuickPick(items, {
    title: "Message a Participant",
    placeHolder: "Who should answer?",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.name;
}

function itemFor(info: ParticipantInfo): QuickPickItem & { readonly name: string } {
  const { label, icon } = activities[info.activity];
  return {
    name: info.name,
    label: `$(${icon}) ${info.name}`,
    description: roleOf(info),
    detail: info.lastLine === undefined ? label : `${label} · ${info.lastLine}`,
  };
}
