import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { countWords, textOf } from "../../../shared/contract/message-text.ts";
import type { PlacedParticipant, PlacedTool, Stopped, WaitingTool } from "../../../shared/contract/stopped.ts";
import type { InterruptReceipt, OpenCall } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { pathField } from "../paths.ts";

/** A call, and the participant that made it. */
export type PlacedCall = Pick<OpenCall, "name" | "participant"> & Pick<PlacedParticipant, "path">;

/** True for a call of a tool that declares that it changes nothing. */
export type IsReadOnly = (call: PlacedCall) => boolean;

/** A participant's turn or message, or one of its calls. */
export type PlacedWork = PlacedParticipant & { readonly ref?: string };

/** Collects what happens during an interrupt, for its receipt. */
export class ReceiptCollector {
  readonly partials: ChatMessage[] = [];
  /** The waiting calls that the interrupt has cancelled. */
  readonly cancelled: WaitingTool[] = [];
  readonly #target: { covers(work: PlacedWork): boolean };
  readonly #isReadOnly: IsReadOnly;
  readonly #startedCalls: Set<string>;
  readonly #waitingCalls: Set<string>;
  readonly #participants: PlacedParticipant[] = [];
  readonly #tools: PlacedTool[] = [];

  /** `target`: what is interrupted. `state`: the team's state when the interrupt came. */
  constructor(target: { covers(work: PlacedWork): boolean }, state: TeamState, isReadOnly: IsReadOnly) {
    this.#target = target;
    this.#isReadOnly = isReadOnly;
    this.#startedCalls = new Set(startedCalls(state));
    this.#waitingCalls = new Set(state.pendingTools.map(({ ref }) => ref));
  }

  onEvent(event: TeamEvent): void {
    const { path } = event;
    switch (event.type) {
      case "message/added":
        if (event.message.partial && this.#covers(event.message.source, path)) this.partials.push(event.message);
        return;
      case "tool/started":
        this.#startedCalls.add(event.ref);
        return;
      case "tool/interrupted":
        this.#waitingCalls.add(event.ref);
        return;
      case "tool/resolved":
        this.#waitingCalls.delete(event.ref);
        return;
      case "tool/executed":
        if (event.interrupted && this.#target.covers(event)) this.#add(event);
        return;
      case "reasoning/conclusion":
        if (event.interrupted && !event.complete && this.#covers(event.from, path))
          this.#participants.push({ participant: event.from, ...pathField(path) });
        return;
      default:
    }
  }

  /** What the interrupt has stopped. */
  get stopped(): Stopped {
    return { participants: this.#participants, tools: this.#tools };
  }

  /** What the interrupt keeps. */
  kept({ threadLength, queued, pendingTools }: TeamState): NonNullable<InterruptReceipt["kept"]> {
    const words = this.partials.reduce((sum, partial) => sum + countWords(textOf(partial)), 0);
    return { messages: threadLength, words, queued: queued.length, pendingTools: pendingTools.length };
  }

  #covers(participant: string, path: readonly string[] | undefined): boolean {
    return this.#target.covers({ participant, ...pathField(path) });
  }

  #add({ ref, name, participant, path }: PlacedCall & { readonly ref: string }): void {
    const call = { ref, name, participant, ...pathField(path) };
    if (this.#waitingCalls.has(ref)) this.cancelled.push(call);
    else this.#tools.push(this.#stopped(call));
  }

  #stopped({ ref, name, participant, path }: PlacedCall & { readonly ref: string }): PlacedTool {
    const mayHaveHadEffects = this.#startedCalls.has(ref) && !this.#isReadOnly({ name, participant, path });
    return { ref, name, participant, ...pathField(path), mayHaveHadEffects };
  }
}

/** The abandoned calls of the team and its nested teams. */
export function abandonedTools(
  { calls, inner = {} }: TeamState,
  isReadOnly: IsReadOnly,
  path: readonly string[] = [],
): InterruptReceipt["abandonedTools"] {
  const own = calls.filter(({ abandoned }) => abandoned);
  return [
    ...own.map(({ ref, name, participant }) => {
      const place = { name, participant, ...pathField(path) };
      return { ref, ...place, mayHaveHadEffects: !isReadOnly(place) };
    }),
    ...Object.entries(inner).flatMap(([name, state]) => abandonedTools(state, isReadOnly, [...path, name])),
  ];
}

function startedCalls({ calls, inner = {} }: TeamState): string[] {
  return [
    ...calls.flatMap(({ ref, started }) => (started ? [ref] : [])),
    ...Object.values(inner).flatMap(startedCalls),
  ];
}
