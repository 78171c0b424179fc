import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { GavelError } from "../../../shared/contract/errors.ts";
import type { Manager } from "./manager.ts";

/**
 * The target of the last handoff speaks until it hands off; the first speaker is the team's first participant (AutoGen's
 * Swarm). A handoff to a target outside the team needs a `handoff` condition, which ends the run.
 * @returns a manager that throws GavelError `UnknownParticipant` for a handoff to an unknown target.
 */
export function swarmManager({ participants }: TeamDefinition): Manager {
  const names = participants.map(({ name }) => name);
  return {
    ignoresMessages: true,
    select({ state: { handoffTo, lastSpeaker } }) {
      if (handoffTo !== undefined && !names.includes(handoffTo)) throw leftTheTeam(handoffTo, names);
      const speaker = handoffTo ?? names.find((name) => name === lastSpeaker) ?? names[0];
      return { speakers: speaker === undefined ? [] : [speaker] };
    },
  };
}

const leftTheTeam = (name: string, known: readonly string[]): GavelError =>
  new GavelError(
    `There was a handoff to "${name}", which is not a participant of the team. Use one of ${known.join(", ")}, or add a ` +
      `\`handoff\` condition with the target "${name}" to end the run there.`,
    { code: "UnknownParticipant", name, known },
  );
