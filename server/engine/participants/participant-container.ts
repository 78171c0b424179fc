import { messageOf } from "../../../shared/contract/errors.ts";
import type { EventDraft } from "../../../shared/contract/event.ts";
import type { ReasoningRequest } from "../../../shared/contract/reasoning.ts";
import type { ToolCall } from "../../../shared/contract/team.ts";
import { parseJson } from "../../../shared/parse-json.ts";
import type { CallOutcome, RequestedCall } from "../calls/call-outcome.ts";
import { RunningCalls } from "../calls/running-calls.ts";
import type { ExecutableCall, ToolExecutor } from "../calls/tool-executor.ts";
import type { OlderPart, PartSizes } from "../context/older-part.ts";
import type { ContextItem } from "../model.ts";
import type { Address, MessageContext, Runtime, Topic, Unregister } from "../runtime/runtime.ts";
import type {
  Participant,
  ReasoningAnswer,
  RequestingAnswer,
  Turn,
  TurnOutcome,
  WrittenSummary,
} from "./participant.ts";

/** Asks a participant for one turn. */
export interface TurnRequest
  extends Pick<
    Turn,
    "earlier" | "items" | "steps" | "progress" | "notes" | "commands" | "context" | "userInput" | "answersWithin"
  > {
  readonly turnId: string;
  readonly thread: () => Turn["thread"];
  readonly plan: () => Turn["plan"];
}

/** An event of a turn, for the team. A tool's events belong to its call, not to a turn. */
export interface ParticipantEvent {
  readonly turnId?: string;
  readonly draft: EventDraft;
}

/** Asks the team to record the calls that a turn requests. */
export interface CallRequest {
  readonly turnId: string;
  readonly draft: Omit<Extract<EventDraft, { type: "tool/requested" }>, "calls">;
  readonly calls: readonly Omit<ToolCall, "ref">[];
}

/** Asks the team for the older part of a conversation. */
export interface OlderPartRequest {
  readonly turnId: string;
  readonly sizes: PartSizes;
}

/** Asks the team to record a summary of the part that it was given last. */
export interface SummaryRequest {
  readonly turnId: string;
  readonly summary: WrittenSummary;
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
/** The address of a team that records the calls of a turn and answers with their refs; undefined after an interrupt. */
export const callRequests = (teamId: string): Address<CallRequest, readonly string[] | undefined> => ({
  id: `${teamId}/calls`,
});
/** The address of a team that reads the older part of a participant's conversation in its turn. */
export const olderParts = (teamId: string): Address<OlderPartRequest, OlderPart | undefined> => ({
  id: `${teamId}/older-parts`,
});
/** The address of a team that records a summary, and answers with what its participant's model is shown then. */
export const writtenSummaries = (teamId: string): Address<SummaryRequest, readonly ContextItem[] | undefined> => ({
  id: `${teamId}/summaries`,
});
export const participantEvents = (teamId: string): Topic<ParticipantEvent> => ({ id: `${teamId}/events` });

export interface ContainerOptions {
  readonly teamId: string;
  readonly participant: Participant;
  readonly executor: ToolExecutor;
  readonly runtime: Runtime;
  readonly graceMs: number;
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
    earlier: request.earlier,
    items: request.items,
    steps: request.steps,
    progress: request.progress,
    notes: request.notes,
    get plan() {
      return request.plan();
    },
    commands: request.commands,
    context: request.context,
    get thread() {
      return request.thread();
    },
    userInput: request.userInput,
    answersWithin: request.answersWithin,
    signal,
    soft,
    emit: (draft) => runtime.publish(events, { turnId: request.turnId, draft }),
    olderPart: (sizes) => runtime.send(olderParts(teamId), { turnId: request.turnId, sizes }),
    recordSummary: async (summary) => {
      const items = await runtime.send(writtenSummaries(teamId), { turnId: request.turnId, summary });
      return items && [...request.earlier, ...items];
    },
    requestCalls: (answer) => requestCalls(options, request.turnId, answer),
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

async function requestCalls(
  { teamId, participant, executor, runtime }: ContainerOptions,
  turnId: string,
  { text, calls, usage }: RequestingAnswer,
): Promise<readonly RequestedCall[] | undefined> {
  const requested = calls.map(({ id, name, arguments: json, signedThoughts }) =>
    preparedCall(executor, {
      ...ownId(id),
      name,
      ...parseArguments(json),
      ...(signedThoughts === undefined ? {} : { signedThoughts }),
    }),
  );
  const refs = await runtime.send(callRequests(teamId), {
    turnId,
    draft: {
      type: "tool/requested",
      participant: participant.name,
      ...(text === "" ? {} : { content: text }),
      ...(usage === undefined ? {} : { usage }),
    },
    calls: requested.map(({ malformed, ...call }) => call),
  });
  return refs && requested.flatMap((call, at) => (refs[at] === undefined ? [] : [{ ref: refs[at], ...call }]));
}

/** Events, the user and the tool see the prepared input. */
function preparedCall(executor: ToolExecutor, call: Omit<RequestedCall, "ref">): Omit<RequestedCall, "ref"> {
  if (call.malformed !== undefined) return call;
  try {
    return { ...call, input: executor.prepare(call.name, call.input) };
  } catch (error) {
    return { ...call, malformed: messageOf(error) };
  }
}

/** What endpoints accept as the id of a call when it is sent back to them. */
const LEGAL_ID = /^[\x21-\x7e]{1,40}$/;

const ownId = (id: string | undefined): Pick<RequestedCall, "id"> =>
  id !== undefined && LEGAL_ID.test(id) ? { id } : {};

function parseArguments(text: string): Pick<RequestedCall, "input" | "malformed"> {
  if (text.trim() === "") return { input: {} };
  try {
    return { input: parseJson(text) };
  } catch (error) {
    const malformed =
      error instanceof RangeError
        ? "The arguments are nested too deep, so the tool was not run. Call it again with flatter arguments."
        : "The arguments are not valid JSON, so the tool was not run. Call it again with valid JSON arguments.";
    return { input: text, malformed };
  }
}
