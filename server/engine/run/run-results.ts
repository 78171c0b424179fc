import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage, Usage } from "../../../shared/contract/message.ts";
import type { RunStatus } from "../../../shared/contract/team.ts";
import { ownValue } from "../../../shared/json-record.ts";
import { usageOf } from "../../../shared/state/reducer.ts";
import { addUsage, NO_USAGE, type TeamState } from "../../../shared/state/team-state.ts";
import { withPartialResults } from "../cancellation/collector.ts";
import { findAddressee } from "../log/addressee.ts";
import { samePath } from "../paths.ts";
import type { RunTrigger } from "./run-trigger.ts";

/** What a run has produced so far. */
export class RunResults {
  readonly #messages: ChatMessage[] = [];
  readonly #given: ReadonlySet<string>;
  #usage = NO_USAGE;
  #hasOutput = false;
  /** Who is to answer the user's directed message. */
  #to: string | undefined;

  constructor(trigger: RunTrigger) {
    this.#to = "request" in trigger ? trigger.request.message.to : undefined;
    this.#given = new Set(givenMessages(trigger).map(({ id }) => id));
  }

  /** Adds an event of the run; `state` is the team's. */
  add(event: TeamEvent, state: TeamState): void {
    this.#usage = addUsage(this.#usage, usageOf(event));
    if (event.type !== "message/added") return;
    if (event.path === undefined || this.#isInExchange(event.path, state)) this.#messages.push(event.message);
    this.#hasOutput ||= this.#isOutput(event.message, event.path, state);
  }

  /** The user's directed message is answered: what a nested team says from here on is its own matter. */
  noteAnswer(): void {
    this.#to = undefined;
  }

  /** The messages of the team itself, and those of the nested team that a directed message is for, in order. */
  get messages(): ChatMessage[] {
    return [...this.#messages];
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** The status of the run's end. That of an interrupted run says so if the run has output. */
  describe(status: RunStatus): RunStatus {
    return this.#hasOutput ? withPartialResults(status) : status;
  }

  #isInExchange(path: readonly string[], state: TeamState): boolean {
    const addressee = this.#to === undefined ? undefined : findAddressee(state, this.#to);
    return addressee !== undefined && samePath(addressee.path, path);
  }

  /** True for what the team itself has said; a nested team also gets the messages of the outer one. */
  #isOutput(
    { id, type, source, metadata }: ChatMessage,
    path: readonly string[] | undefined,
    state: TeamState,
  ): boolean {
    if (path === undefined) {
      return !this.#given.has(id) && metadata?.["to"] === undefined && type !== "UserTextMessage";
    }
    const team = path.reduce<TeamState | undefined>((outer, name) => ownValue(outer?.inner, name), state);
    return team?.participants.some(({ name, kind }) => name === source && kind !== "user") === true;
  }
}

/** The messages that start a run. */
function givenMessages(trigger: RunTrigger): readonly ChatMessage[] {
  if (trigger.cause !== "run") return [];
  return "messages" in trigger ? trigger.messages : [trigger.message];
}
