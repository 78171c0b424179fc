import { type QuickPickItem, QuickPickItemKind, window } from "vscode";
import { TeamSetModel } from "../../../shared/contract/requests.ts";
import type { ParticipantInfo } from "../../../shared/contract/team.ts";
import { usesModel } from "../../../shared/state/model-choice.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { listText } from "../../../shared/text/list-text.ts";
import { participantPath } from "../../../shared/text/nested-teams.ts";
import { asksModels, currentModelName, type KnownModels, modelNames } from "../../common/model-name.ts";
import { plainText } from "../../common/plain-text.ts";
import { notify } from "../../dialogs/notify.ts";
import { addressees } from "../../messages/addressees.ts";
import { knownModels, setModelSetting } from "../../models/known-models.ts";
import { pickDefaultModel, pickTeamModel } from "../../models/pick-model.ts";
import { iconOf } from "../../text/activity-text.ts";
import { requireTrust } from "../../trust.ts";
import type { Command, Services } from "../command.ts";
import { addressIn } from "../messages/message-participant.ts";

/** Whose model: everyone's in the team, one participant's, or that of all teams that name none. */
type Target =
  | { readonly kind: "team" }
  | { readonly kind: "participant"; readonly to: string }
  | { readonly kind: "preset" };

/**
 * Chooses the model of the active team, or of a participant of it; without a team, that of participants whose team file
 * names none.
 */
export const selectModel: Command = async (services, argument) => {
  await services.opener.restore();
  const team = services.actions.session?.state;
  const to = addressIn(argument);
  if (to !== undefined) return chooseFor(services, { kind: "participant", to });
  if (team === undefined) return chooseDefaultModel(services);
  const target = await pickTarget(team);
  if (target !== undefined) await chooseFor(services, target);
};

/** Chooses the model of one participant: given by the Participants view or a chip, or picked from a list. */
export const selectParticipantModel: Command = async (services, argument) => {
  await services.opener.restore();
  const { team } = services.actions;
  const to = addressIn(argument);
  const target = to === undefined ? await pickParticipant(team) : { kind: "participant" as const, to };
  if (target !== undefined) await chooseFor(services, target);
};

async function chooseFor(services: Services, target: Target): Promise<void> {
  if (target.kind === "preset") return chooseDefaultModel(services);
  requireTrust();
  const { actions, host } = services;
  const { team } = actions;
  const known = await knownModels();
  const to = target.kind === "participant" ? target.to : undefined;
  const of = addressees(team).find((one) => one.to === to);
  const picked = await pickTeamModel(
    {
      keys: services.credentials,
      title: to === undefined ? "Select Model" : `Select Model for ${to}`,
      placeHolder: `${to === undefined ? "Everyone uses it" : `${to} uses it`} from the next turn on`,
    },
    {
      models: (of?.team ?? team).models ?? {},
      own:
        to === undefined
          ? { label: "Models of the Team File", description: "each participant’s own" }
          : { label: "The Team’s Model", description: plainText(ownModelText(of?.info, of?.team ?? team, known)) },
    },
  );
  if (picked === undefined) return;
  const { teamId } = team;
  await host.request(TeamSetModel, { teamId, ...(to === undefined ? {} : { to }), model: picked.model });
}

/** What a participant without a choice of its own uses. */
function ownModelText(info: ParticipantInfo | undefined, team: TeamState, known: KnownModels): string {
  if (info === undefined) return "";
  const { chosenModel, ...participant } = info;
  return currentModelName(participant, team, known) ?? "";
}

/** Chooses the model of participants whose team file names none. */
export async function chooseDefaultModel({ credentials }: Pick<Services, "credentials">): Promise<void> {
  const picked = await pickDefaultModel({
    keys: credentials,
    title: "Select Default Model",
    placeHolder: "Select the model of participants whose team file names none",
  });
  if (picked === undefined) return;
  await setModelSetting(picked.model);
  void notify("info", `Participants whose team file names no model now use ${picked.name}.`);
}

type TargetItem = QuickPickItem & { readonly target?: Target };

async function pickTarget(team: TeamState): Promise<Target | undefined> {
  const known = await knownModels();
  const participants = participantItems(team, known);
  const names = modelNames(team, known);
  const items: TargetItem[] = [
    { label: "$(organization) Whole Team", description: plainText(listText(names)), target: { kind: "team" } },
    // Of a team of one, the whole team is the participant.
    ...(participants.length > 1 ? [separator("Participants"), ...participants] : []),
    separator("All Teams"),
    {
      label: "$(settings-gear) Default Model",
      description: plainText(`${known.preset ?? "none"} · for participants whose team file names none`),
      target: { kind: "preset" },
    },
  ];
  const picked = await window.showQuickPick(items, {
    title: "Select Model",
    placeHolder: "Select whose model to change",
    matchOnDescription: true,
  });
  return picked?.target;
}

async function pickParticipant(team: TeamState): Promise<Target | undefined> {
  const items = participantItems(team, await knownModels());
  const picked = await window.showQuickPick(items, {
    title: "Select Model for Participant",
    placeHolder: "Select a participant",
    matchOnDescription: true,
  });
  return picked?.target;
}

function participantItems(team: TeamState, known: KnownModels): TargetItem[] {
  return addressees(team).flatMap(({ to, path, info, team: of }) => {
    const within = of.inner?.[info.name];
    if (!usesModel(info) && (within === undefined || !asksModels(within))) return [];
    const names =
      info.kind === "team" && within !== undefined
        ? listText(modelNames(within, known))
        : (currentModelName(info, of, known) ?? "");
    return {
      label: `$(${iconOf(info)}) ${plainText(participantPath(path, info.name))}`,
      description: plainText([names, info.chosenModel === undefined ? "" : "chosen"].filter(Boolean).join(" · ")),
      target: { kind: "participant", to },
    };
  });
}

const separator = (label: string): TargetItem => ({ label, kind: QuickPickItemKind.Separator });
