import { messageOf } from "../../../shared/contract/errors.ts";
import type { EventDraft } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { ReasoningRequest } from "../../../shared/contract/reasoning.ts";
import type { Task } from "../../../shared/contract/team.ts";
import type { CallOutcome, RequestedCall } from "../calls/call-outcome.ts";
import { RunningCalls } from "../calls/running-calls.ts";
import type { ExecutableCall, ToolExecutor } from "../calls/tool-executor.ts";
import type { ToolStep } from "../context/tool-step.ts";
import { newId } from "../id.ts";
import type { ContextItem, ModelCall, ModelProgress } from "../model.ts";
import type { Address, MessageContext, Runtime, Topic, Unregister } from "../runtime/runtime.ts";
import type { Participant, ReasoningAnswer, Turn, TurnOutcome } from "./participant.ts";

/** Asks a participant for one turn. */
export interface TurnRequest {
  readonly turnId: string;
  readonly items: readonly ContextItem[];
  readonly steps: readonly ToolStep[];
  readonly progress: ModelProgress;
  readonly notes: readonly string[];
  readonly thread: readonly ChatMessage[];
  readonly userInput?: Task | undefined;
}

/** An event of a turn, for the team. A tool's events belong to its call, not to a turn. */
export interface ParticipantEvent {
  readonly turnId?: string;
  readonly draft: EventDraft;
}

export const turnAddress = (teamId: string, name: string): Address<TurnRequest, TurnOutcome> => ({
  id: `${teamId}/participants/${name}`,
});
export const callAddress = (teamId: string, name: string): Address<ExecutableCall, CallOutcome> => ({
  id: `${teamId}/participants/${name}/tools`,
});
/** The address that interrupts one call of a participant; its turn continues. */
export const cancelCallAddress = (teamId: string, name: string): Address<{ readonly ref: string }, void> => ({
  id: `${teamId}/participants/${name}/cancel`,
});
/** The address that tells a participant during its turn that its reasoning is interrupted. */
export const reasoningAddress = (teamId: string, name: string): Address<ReasoningRequest, ReasoningAnswer> => ({
  id: `${teamId}/participants/${name}/reasoning`,
});
export const participantEvents = (teamId: string): Topic<ParticipantEvent> => ({ id: `${teamId}/events` });

export interface ContainerOptions {
  readonly teamId: string;
  readonly participant: Participant;
  readonly executor: ToolExecutor;
  readonly runtime: Runtime;
  readonly graceMs: number;
  /** True when the team already has a call with this ref. */
  readonly isCallKnown: (ref: string) => boolean;
}

/**
 * Connects a participant to the runtime (AutoGen's ChatAgentContainer): one serial mailbox for its turns, and one for its
 * tool calls, which run in parallel. It has no state between turns: a turn request contains everything that a turn needs.
 */
export function installParticipant(options: ContainerOptions): Unregister {
  const { teamId, participant, executor, runtime, graceMs } = options;
  const calls = new RunningCalls(executor, graceMs);
  const releases = [
    runtime.register(turnAddress(teamId, participant.name), (request, delivery) =>
      participant.takeTurn(turnFor(options, request, delivery)),
    ),
    runtime.register(callAddress(teamId, participant.name), (call, context) => calls.run(call, context), {
      serial: false,
    }),
    runtime.register(cancelCallAddress(teamId, participant.name), ({ ref }) => calls.cancel(ref), { serial: false }),
    runtime.register(
      reasoningAddress(teamId, participant.name),
      (request): ReasoningAnswer | Promise<ReasoningAnswer> => participant.onReasoningInterrupt?.(request),
      { serial: false },
    ),
  ];
  return () => {
    for (const release of releases) release();
  };
}

function turnFor(options: ContainerOptions, request: TurnRequest, { signal, soft }: MessageContext): Turn {
  const { teamId, participant, executor, runtime, graceMs } = options;
  const events = participantEvents(teamId);
  return {
    id: request.turnId,
    items: request.items,
    steps: request.steps,
    progress: request.progress,
    notes: request.notes,
    thread: request.thread,
    userInput: request.userInput,
    signal,
    soft,
    emit: (draft) => runtime.publish(events, { turnId: request.turnId, draft }),
    nameCalls: (calls) => nameCalls(calls, options.isCallKnown).map((call) => preparedCall(executor, call)),
    runCalls: (calls) =>
      Promise.all(
        calls.map(async (call): Promise<CallOutcome> => {
          if (soft.aborted) return { kind: "interrupted", ref: call.ref };
          const grace = executor.interruptBehavior(call.name) === "background" ? 0 : graceMs;
          try {
            return await runtime.send(callAddress(teamId, participant.name), call, { signal, soft, graceMs: grace });
          } catch (error) {
            if (signal.aborted) return { kind: "interrupted", ref: call.ref };
            throw error;
          }
        }),
      ),
  };
}

function nameCalls(calls: readonly ModelCall[], isKnown: (ref: string) => boolean): RequestedCall[] {
  const taken = new Set<string>();
  return calls.map(({ id, name, arguments: text }) => {
    const ref = id === undefined || id === "" || taken.has(id) || isKnown(id) ? newId("call") : id;
    taken.add(ref);
    return { ref, name, ...parseArguments(text) };
  });
}

/** Events, the user and the tool see the prepared input. */
function preparedCall(executor: ToolExecutor, call: RequestedCall): RequestedCall {
  if (call.malformed !== undefined) return call;
  try {
    return { ...call, input: executor.prepare(call.name, call.input) };
  } catch (error) {
    return { ...call, malformed: messageOf(error) };
  }
}

function parseArguments(text: string): Pick<RequestedCall, "input" | "malformed"> {
  if (text.trim() === "") return { input: {} };
  try {
    return { input: JSON.parse(text) };
  } catch {
    return {
      input: text,
      malformed: "The arguments are not valid JSON, so the tool was not run. Call it again with valid JSON arguments.",
    };
  }
}
