import * as z from "zod";
import { Checkpoint } from "../checkpoint.ts";
import { TeamEvent } from "../event.ts";
import { StateInspection } from "../inspection.ts";
import { request } from "../message-type.ts";
import { ChosenModel } from "../model-choice.ts";
import { PlanItems } from "../plan.ts";
import { SavedState } from "../saved-state.ts";
import { TeamSnapshot } from "../team.ts";
import { nothing, ofTeam, teamId } from "./params.ts";

/** Gets the team as it is now. */
export const TeamInspect = request("team/inspect", ofTeam, TeamSnapshot);

/** Gets the team's state in detail: who spoke, what each model is shown, open calls, the progress of the conditions. */
export const TeamInspectState = request("team/inspectState", ofTeam, StateInspection);

/**
 * Reads the event log: events with a `seq` above `after`, at most `limit` of them (1,000 if left out). `types` restricts
 * them to these types, such as `reasoning/interrupt` for the audit trail.
 */
export const TeamEvents = request(
  "team/events",
  z.strictObject({
    teamId,
    after: z.number().int().min(0).optional(),
    limit: z.number().int().min(1).max(10_000).optional(),
    types: z.array(z.string()).min(1).optional(),
  }),
  z.object({ events: z.array(TeamEvent), lastSeq: z.number().int() }),
);

/** Gets the team's state as plain JSON. */
export const TeamSaveState = request("team/saveState", ofTeam, SavedState);

/** Replaces the team's state with a saved one. */
export const TeamLoadState = request("team/loadState", z.strictObject({ teamId, state: z.unknown() }), TeamSnapshot);

const ofFile = z.strictObject({ teamId, uri: z.string() });

/** Writes the team's state to a file, also one that is too large for an answer. */
export const TeamSaveStateFile = request("team/saveStateFile", ofFile, z.object({ bytes: z.number().int() }));

/** Replaces the team's state with that of a file which `team/saveStateFile` wrote. */
export const TeamLoadStateFile = request("team/loadStateFile", ofFile, TeamSnapshot);

/**
 * Chooses the model of a participant (`to`, as in `team/sendUserMessage`), or of the whole team, in place of that of the
 * definition; `null` goes back to it. It is used from the next turn on. `TeamBusy` while a turn of the participant runs, or
 * for the whole team a run.
 */
export const TeamSetModel = request(
  "team/setModel",
  z.strictObject({ teamId, to: z.string().optional(), model: ChosenModel.nullable() }),
  TeamSnapshot,
);

/**
 * Replaces the plan of a participant (`to`, as in `team/sendUserMessage`), also while it runs: its model is shown it in its
 * next turn. Without items it has no plan. With `was`, the plan must still be that: `InvalidParams` if it has changed
 * meanwhile.
 */
export const TeamEditPlan = request(
  "team/editPlan",
  z.strictObject({ teamId, to: z.string(), items: PlanItems, was: PlanItems.optional() }),
  nothing,
);

/**
 * Has the context of a participant (`to`, as in `team/sendUserMessage`) summarized before its model is asked next. Its
 * context must be `summarized` or the whole conversation: `InvalidParams` for another.
 */
export const TeamSummarizeContext = request(
  "team/summarizeContext",
  z.strictObject({ teamId, to: z.string() }),
  nothing,
);

/**
 * Undoes the summary of a participant (`to`, as in `team/sendUserMessage`): its model is shown the messages again, from its
 * next turn on, and no further summary is made until one is asked for. `InvalidParams` where there is none.
 */
export const TeamRestoreContext = request("team/restoreContext", z.strictObject({ teamId, to: z.string() }), nothing);

/** Lists the points that the team can go back to, the last first. */
export const TeamCheckpoints = request("team/checkpoints", ofTeam, z.object({ checkpoints: z.array(Checkpoint) }));

/**
 * Takes the team back to its state right after an event, by a `state/loaded` event: what came later stays in the event log.
 * `from` is where it was, so that rewinding to it undoes this. Files are not changed. `TeamBusy` while the team runs.
 */
export const TeamRewind = request(
  "team/rewind",
  z.strictObject({ teamId, seq: z.number().int().min(0) }),
  z.object({ team: TeamSnapshot, from: z.number().int() }),
);
