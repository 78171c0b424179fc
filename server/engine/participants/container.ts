import type { EventDraft } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { newId } from "../id.ts";
import type { ContextItem, ModelCall } from "../model.ts";
import type { Address, Release, Runtime, Topic } from "../runtime/runtime.ts";
import type { CallOutcome, Participant, RequestedCall, Turn, TurnOutcome } from "./participant.ts";
import type { DeskCall, ToolDesk } from "./tool-desk.ts";

/** Asks a participant for one turn. */
export interface Speak {
  readonly turnId: string;
  readonly items: readonly ContextItem[];
  readonly thread: readonly ChatMessage[];
}

/** Something that happened in a turn, on its way to the team. Tools' events belong to their call, not to a turn. */
export interface Happening {
  readonly turnId?: string;
  readonly draft: EventDraft;
}

export const turnsOf = (teamId: string, name: string): Address<Speak, TurnOutcome> => ({
  id: `${teamId}/participants/${name}`,
});
export const callsOf = (teamId: string, name: string): Address<DeskCall, CallOutcome> => ({
  id: `${teamId}/participants/${name}/tools`,
});
export const happeningsOf = (teamId: string): Topic<Happening> => ({ id: `${teamId}/happenings` });

export interface ContainerOptions {
  readonly teamId: string;
  readonly participant: Participant;
  readonly desk: ToolDesk;
  readonly runtime: Runtime;
  readonly graceMs: number;
  /** True when the team has a call of this name already. */
  readonly isCallKnown: (ref: string) => boolean;
}

/**
 * Puts a participant on the runtime (seed 000, "ChatAgentContainer"): one serial mailbox for its turns, another for its tool
 * calls, which run side by side. It keeps nothing between turns: what a turn needs comes with the message that asks for it.
 */
export function installParticipant(options: ContainerOptions): Release {
  const { teamId, participant, desk, runtime } = options;
  const releases = [
    runtime.register(turnsOf(teamId, participant.name), (speak, { signal }) =>
      participant.takeTurn(turnFor(options, speak, signal)),
    ),
    runtime.register(callsOf(teamId, participant.name), (call, { signal }) => desk.run(call, signal), {
      serial: false,
    }),
  ];
  return () => {
    for (const release of releases) release();
  };
}

function turnFor(options: ContainerOptions, speak: Speak, signal: AbortSignal): Turn {
  const { teamId, participant, runtime, graceMs } = options;
  const happenings = happeningsOf(teamId);
  return {
    id: speak.turnId,
    items: speak.items,
    thread: speak.thread,
    signal,
    emit: (draft) => runtime.publish(happenings, { turnId: speak.turnId, draft }),
    nameCalls: (calls) => nameCalls(calls, options.isCallKnown),
    runCalls: (calls) =>
      Promise.all(
        calls.map((call) =>
          runtime
            .send(callsOf(teamId, participant.name), call, { signal, graceMs })
            .catch((error: unknown): CallOutcome => {
              if (signal.aborted) return { kind: "interrupted", ref: call.ref };
              throw error;
            }),
        ),
      ),
  };
}

function nameCalls(calls: readonly ModelCall[], isKnown: (ref: string) => boolean): RequestedCall[] {
  const taken = new Set<string>();
  return calls.map(({ id, name, arguments: text }) => {
    const ref = id === undefined || id === "" || taken.has(id) || isKnown(id) ? newId("call") : id;
    taken.add(ref);
    return { ref, name, ...parsed(text) };
  });
}

function parsed(text: string): Pick<RequestedCall, "input" | "malformed"> {
  if (text.trim() === "") return { input: {} };
  try {
    return { input: JSON.parse(text) };
  } catch {
    return {
      input: text,
      malformed: "The arguments are no valid JSON, so the tool was not run; call it again with JSON.",
    };
  }
}
