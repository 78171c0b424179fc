import type { ParticipantDefinition, ParticipantPlace, Turn } from "../../engine/index.ts";
import type { WorkerLink } from "./link/worker-link.ts";

type TurnData = Parameters<WorkerLink["takeTurn"]>[3];

/** What a turn elsewhere is sent; `participant` is what the participant is called there. */
export function turnData(
  turn: Turn,
  participant: string,
  { definition, place }: { readonly definition: ParticipantDefinition; readonly place: ParticipantPlace },
): TurnData {
  const { description, instructions, handoffs, output, context } = definition;
  const { maxToolIterations, reflectOnToolUse, toolCallSummaryFormat } = definition;
  const { earlier, items, steps, progress, notes, plan, commands } = turn;
  const { teamId, team } = place;
  return {
    participant,
    name: definition.name,
    team: {
      id: teamId,
      name: team.name,
      participants: team.participants.map((member) => ({ name: member.name, description: member.description })),
    },
    settings: {
      description,
      instructions,
      handoffs,
      output,
      context,
      maxToolIterations,
      reflectOnToolUse,
      toolCallSummaryFormat,
    },
    turnId: turn.id,
    earlier,
    items,
    steps,
    progress,
    notes: [...notes],
    plan,
    commands: commands && [...commands],
    context: turn.context,
  };
}
