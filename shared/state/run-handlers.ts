import { HOST_STOPPED, STORAGE_FAILED, StopReason } from "../contract/stop-reasons.ts";
import type { ParticipantInfo } from "../contract/team.ts";
import { ownValue } from "../json-record.ts";
import { withChangedParticipants } from "./changed-participants.ts";
import { withParticipantModel, withTeamModel } from "./chosen-models.ts";
import { withoutEndedCommands } from "./command-handlers.ts";
import { type Handlers, unchanged } from "./handlers.ts";
import { loadedState, resetState } from "./load-state.ts";
import { withActor, withRole } from "./people.ts";
import { withUsage, withWait } from "./state-changes.ts";
import { NO_USAGE, type TeamState } from "./team-state.ts";

/** Runs, the choice of speakers, interrupts, and what replaces the whole state. */
export const runHandlers: Handlers<
  | "run/started"
  | "run/ended"
  | "speaker/selected"
  | "manager/noted"
  | "model/asked"
  | "model/retry"
  | "model/waiting"
  | "model/fallback"
  | "model/waited"
  | "interrupt/requested"
  | "interrupt/acknowledged"
  | "stop/requested"
  | "stop/withdrawn"
  | "interrupt/completed"
  | "team/renamed"
  | "role/changed"
  | "approvers/changed"
  | "model/chosen"
  | "participants/changed"
  | "team/reset"
  | "state/loaded"
  | "error"
> = {
  // The run that goes on after a decision ends as the one before was to.
  "run/started": (state, event) => ({
    ...withActor(event.cause === "run" ? withoutStop(state) : state, event.by),
    status: "running",
    interrupted: false,
    run: { runId: event.runId ?? "", usage: NO_USAGE, threadStart: state.threadLength },
  }),

  "run/ended": (state, event) => {
    const awaiting = state.pendingTools.length > 0;
    const before = awaiting ? state : withoutStop(state);
    const { unanswered, note, due, ...kept } = before;
    const startsOver = event.resets && event.flow !== "open";
    // The run was cut short, and continues as after an interrupt.
    const isCut = event.status.reason === HOST_STOPPED || event.status.reason === STORAGE_FAILED;
    return {
      ...(event.resets ? kept : before),
      ...(note !== undefined && !startsOver ? { note } : {}),
      ...(event.flow === "finished" ? { finishedAt: state.threadLength } : {}),
      run: null,
      streaming: [],
      status: awaiting
        ? "awaitingTools"
        : event.resets || (event.status.code === "error" && !isCut)
          ? "idle"
          : "paused",
      interrupted: event.stopReason === StopReason.userInterrupt || isCut,
      lastStop: event.stopReason,
      ...(event.resets ? { turn: 0, conditionMessages: 0 } : {}),
      participants: (startsOver ? state.participants.map(withoutTurns) : state.participants).map((participant) =>
        participant.activity === "idle" || participant.activity === "awaitingTools" ? participant : atRest(participant),
      ),
    };
  },

  "speaker/selected": ({ unanswered, finishedAt, ...state }, { participants, directed, note }) => ({
    ...state,
    ...(directed === undefined || finishedAt === undefined ? {} : { finishedAt }),
    selected: { participants, ...(directed === undefined ? {} : { directed }) },
    ...(note === undefined ? {} : { note }),
  }),

  "manager/noted": ({ finishedAt, ...state }, { note }) => ({ ...state, note }),

  "model/asked": (state, { by, usage }) =>
    withUsage({ ...state, asked: { ...state.asked, [by]: (ownValue(state.asked, by) ?? 0) + 1 } }, usage, by),

  "model/retry": unchanged,
  "model/fallback": unchanged,

  "model/waiting": (state, { participant, endpoint, until }) =>
    withWait(state, participant, { endpoint, ...(until === undefined ? {} : { until }) }),

  "model/waited": (state, { participant }) => withWait(state, participant, undefined),

  // After an interrupt of a part the run continues until that part has stopped.
  "interrupt/requested": (state, { scope }) =>
    state.status === "running" && scope === undefined ? { ...state, status: "interrupting" } : state,

  "interrupt/acknowledged": unchanged,

  // Between runs an interrupt cancels what waits: the team continues from there as after one that stopped a run.
  "interrupt/completed": (state, { cancelledTools }) =>
    cancelledTools !== undefined && state.run === null && state.status === "paused"
      ? { ...withoutStop(state), interrupted: true }
      : state,

  "stop/requested": (state) => ({ ...state, stopRequested: true }),

  "stop/withdrawn": (state) => withoutStop(state),

  "team/renamed": ({ title: _, ...state }, { title }) => ({ ...state, ...(title === null ? {} : { title }) }),

  "model/chosen": (state, { participant, model }) =>
    participant === undefined ? withTeamModel(state, model) : withParticipantModel(state, participant, model),

  "participants/changed": withChangedParticipants,

  "approvers/changed": (state, { required, from }) => ({
    ...state,
    approvers: { required, ...(from === undefined ? {} : { from }) },
  }),

  "role/changed": (state, { user, role }) => withRole(state, user, role),

  "team/reset": (state, { by }) => withoutEndedCommands(resetState(withActor(state, by))),

  "state/loaded": (state, { state: saved, by }) => loadedState(withActor(state, by), saved),

  error: unchanged,
};

const atRest = ({ waitsFor, summarizing, ...participant }: ParticipantInfo): ParticipantInfo => ({
  ...participant,
  activity: "idle",
});

const withoutStop = ({ stopRequested, ...state }: TeamState): TeamState => state;

const withoutTurns = ({ turns, ...participant }: ParticipantInfo): ParticipantInfo => participant;
