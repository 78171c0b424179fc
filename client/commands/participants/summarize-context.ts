import { window } from "vscode";
import { participantPath } from "../../../shared/text/nested-teams.ts";
import { plainText } from "../../common/plain-text.ts";
import { notify } from "../../dialogs/notify.ts";
import { addressees } from "../../messages/addressees.ts";
import { iconOf } from "../../text/activity-text.ts";
import { requireTrust } from "../../trust.ts";
import type { Command, Services } from "../command.ts";
import { addressIn } from "../messages/message-participant.ts";

/**
 * Has the context of a participant summarized before its next turn: given by the Participants view, or picked where the
 * active team has several agents with a model of their own.
 */
export const summarizeContext: Command = async ({ actions, opener }, argument) => {
  requireTrust();
  await opener.restore();
  const to = addressIn(argument) ?? (await pickAgent(actions));
  if (to !== undefined) await actions.summarizeContext(to);
};

async function pickAgent({ team }: Services["actions"]): Promise<string | undefined> {
  const agents = addressees(team).filter(({ info }) => info.kind === "assistant");
  const [only, ...others] = agents;
  if (only === undefined) {
    void notify("info", "No participant of this team has a context that can be summarized.");
    return undefined;
  }
  if (others.length === 0) return only.to;
  const items = agents.map(({ to, path, info }) => ({
    to,
    label: `$(${iconOf(info)}) ${plainText(participantPath(path, info.name))}`,
  }));
  const picked = await window.showQuickPick(items, {
    title: "Summarize Context",
    placeHolder: "Select whose earlier messages are summarized before the next turn",
  });
  return picked?.to;
}
