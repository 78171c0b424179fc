import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { Model, ModelRequest } from "../model.ts";

/** What a manager asks its own model. */
export interface ManagerQuestion extends Pick<ModelRequest, "instructions" | "items" | "output"> {
  readonly model: Model;
  /** What the step is for, told with what it cost: `select`, `plan`. */
  readonly purpose: string;
}

/** What a manager goes by when it chooses, and what it can do meanwhile. */
export interface SelectionContext {
  readonly state: TeamState;
  /** The whole thread. */
  readonly messages: readonly ChatMessage[];
  /** Who is speaking now: nobody, but for a manager that overlaps. */
  readonly speaking: readonly string[];
  /** Aborted by an interrupt. What a manager returns after that is not taken up: it is asked anew when the run goes on. */
  readonly signal: AbortSignal;
  /** One step of a model, unseen in the thread; nothing when it was interrupted. What it costs is the run's. */
  askModel(question: ManagerQuestion): Promise<string | undefined>;
  /** A message of the manager's own, streamed into the thread under `source`; false when it was interrupted, with the partial kept. */
  streamMessage(source: string, question: ManagerQuestion): Promise<boolean>;
  /** Adds a message of the manager's own to the thread. */
  addMessage(source: string, content: string): void;
  /** Keeps `note` (plain JSON) in the team's state, where it is found as `state.note` after a restart too. */
  saveNote(note: unknown): void;
}

/** Who speaks next (several speak in parallel), or why the flow is over: then the run ends as by a condition, with that reason. */
export type Selection = { readonly note?: unknown } & (
  | { readonly speakers: readonly string[] }
  | { readonly end: string }
);

/**
 * Says who speaks next. It keeps nothing of its own: all it goes by is in the team's state and thread, so that a restart
 * changes nothing. A `note` returned with a selection is kept together with it.
 */
export interface Manager {
  /** True when it can give the floor to more participants while others speak: it is then asked after every turn, and may choose nobody. */
  readonly overlaps?: true;
  /** @throws what ends the run with status `error`. */
  select(floor: SelectionContext): Selection | Promise<Selection>;
}
