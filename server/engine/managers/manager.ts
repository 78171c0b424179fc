import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { ParticipantChange } from "../../../shared/contract/participant-change.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { Model, ModelRequest } from "../model.ts";

/** A request of a manager to its own model. */
export interface ManagerQuestion extends Pick<ModelRequest, "instructions" | "items" | "output"> {
  readonly model: Model;
  /** The purpose of the request, such as `select` or `plan`; reported with its usage. */
  readonly purpose: string;
}

/** What a manager sees and can do when it selects the next speakers. */
export interface SelectionContext {
  readonly state: TeamState;
  /** The whole thread. */
  readonly messages: readonly ChatMessage[];
  /** The participants that are speaking now; always empty unless the manager has `overlaps`. */
  readonly speaking: readonly string[];
  /**
   * Aborted by an interrupt. A selection that is returned later is ignored; the manager is asked again when the run
   * continues.
   */
  readonly signal: AbortSignal;
  /** One model response that is not shown in the thread; undefined when interrupted. Its usage counts for the run. */
  askModel(question: ManagerQuestion): Promise<string | undefined>;
  /** Streams a model response into the thread as a message of `source`; false when interrupted, with the partial kept. */
  streamMessage(source: string, question: ManagerQuestion): Promise<boolean>;
  /** Adds a message of `source` to the thread. */
  addMessage(source: string, content: string): Promise<void>;
  /** Stores `note` (plain JSON) in the team's state, as `state.note`. It survives a restart. */
  saveNote(note: unknown): void;
}

/** The definitions of a team before and after a change of its participants, and who came and went. */
export interface ChangedTeam {
  readonly before: TeamDefinition;
  readonly after: TeamDefinition;
  readonly changes: readonly ParticipantChange[];
}

/**
 * The next speakers (several speak in parallel), or the reason why the conversation ends, which becomes the run's stop
 * reason.
 */
export type Selection = { readonly note?: unknown } & (
  | { readonly speakers: readonly string[] }
  | { readonly end: string }
);

/**
 * Selects the next speakers. It has no state of its own: everything it needs is in the team's state and thread, so that it
 * works the same after a restart. A `note` returned with a selection is stored with it.
 */
export interface Manager {
  /**
   * True for a manager that may select further speakers while others are speaking. It is asked after every turn, and may
   * return none.
   */
  readonly overlaps?: true;
  /** True for a manager that selects by the team's state alone, and does not read its messages. */
  readonly ignoresMessages?: true;
  /**
   * True when no participant is left to speak, although it has not ended the conversation: a condition came first. The next
   * run then starts over; otherwise it goes on where it stood.
   */
  isFinished?(context: Pick<SelectionContext, "state" | "messages" | "signal">): boolean | Promise<boolean>;
  /** @throws anything; the run then ends with status `error`. */
  select(context: SelectionContext): Selection | Promise<Selection>;
}
