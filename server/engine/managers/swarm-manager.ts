import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { GavelError } from "../../../shared/contract/errors.ts";
import type { Manager } from "./manager.ts";

/**
 * Whoever was handed the floor last, until it hands it on; at first the first participant (AutoGen's Swarm). A handoff out of the
 * team is for a `handoff` condition to stop.
 * @returns a manager that throws GavelError `UnknownParticipant` for a handoff to nobody.
 */
export function swarmManager({ participants }: TeamDefinition): Manager {
  const names = participants.map(({ name }) => name);
  return {
    select({ state: { handoffTo, lastSpeaker } }) {
      if (handoffTo !== undefined && !names.includes(handoffTo)) throw leftTheTeam(handoffTo, names);
      const speaker = handoffTo ?? lastSpeaker ?? names[0];
      return { speakers: speaker === undefined ? [] : [speaker] };
    },
  };
}

const leftTheTeam = (name: string, known: readonly string[]): GavelError =>
  new GavelError(
    `The floor was handed to "${name}", and nobody in the team is called so; hand it to one of ${known.join(", ")}, ` +
      `or let it leave the team by a \`handoff\` condition with the target "${name}".`,
    { code: "UnknownParticipant", name, known },
  );
