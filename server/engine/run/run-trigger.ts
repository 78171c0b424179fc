import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { Task, TaskResult } from "../../../shared/contract/team.ts";
import type { DirectedMessage } from "../context/user-message.ts";
import type { UserInput } from "../participants/participant.ts";

/** How long the answer to a directed message may take after its delivery, in milliseconds. */
export const ANSWER_TIMEOUT_MS = 120_000;

/** A user's message to one participant, and how its answer is awaited. */
export interface DirectedRequest {
  readonly message: DirectedMessage;
  readonly then: "continue" | "pause";
  readonly timeoutMs: number;
  /** True for a message that waited for the end of a run. */
  readonly waited: boolean;
  /** Called on the answer if other participants speak after it, with the result of the run so far. */
  readonly onAnswer?: (result: TaskResult) => void;
}

/** What starts a run, and the user who did that; no user starts that of a nested team. */
export type RunTrigger = Trigger & { readonly by?: string | undefined };

type Trigger =
  | {
      readonly cause: "run";
      readonly task?: Task | undefined;
      readonly messages: readonly ChatMessage[];
      /** The id of the waiting message that they are. */
      readonly waited?: string;
    }
  /** The user's input in the turn of a user participant, of this team or a nested one, and the message that it makes. */
  | { readonly cause: "run"; readonly task: Task; readonly userInput: UserInput; readonly message: ChatMessage }
  | { readonly cause: "userMessage"; readonly request: DirectedRequest }
  /** A directed message that the nested team has got already: only its addressee answers. */
  | { readonly cause: "userMessage" }
  /** Answers to pending calls; see `Run.addAnswers`. */
  | { readonly cause: "tools" };
