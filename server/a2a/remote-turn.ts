import { setImmediate } from "node:timers/promises";
import { type Artifact, TaskState, type TaskStatus } from "@a2a-js/sdk";
import { LIMITS } from "../../shared/limits.ts";
import { AgentError } from "../agents/agent-error.ts";
import { newId } from "../engine/id.ts";
import type { Turn } from "../engine/index.ts";
import { type AgentUpdate, stateOf, taskIdOf } from "./agent-link.ts";
import { plainText } from "./link-errors.ts";
import { partsText } from "./part-text.ts";
import { TaskText } from "./task-text.ts";

/** How many updates one turn may have, and after how many others get their turn of the event loop. */
const MAX_UPDATES = 200_000;
const BATCH = 50;
/** How often an agent may say how far it is. */
const MAX_THOUGHTS = 2_000;
/** The longest question for the user, in characters; the rest of it is in the message before. */
const MAX_QUESTION = 4_000;

export interface RemoteTurnOptions {
  readonly name: string;
  /** The text of the task that the agent works on. */
  readonly text: () => TaskText | undefined;
  /** The agent has named its task, or its conversation; either may be left out. */
  readonly began: (taskId: string | undefined, contextId: string) => Promise<void>;
}

/** How the agent has come to rest. */
export type RemoteTurnEnd =
  | { readonly kind: "ended"; readonly text: string; readonly messageId: string | undefined }
  | { readonly kind: "asks"; readonly text: string; readonly question: string }
  /** `isOver`: the agent does not go on with its task. */
  | { readonly kind: "failed"; readonly message: string; readonly isOver: boolean };

/** Turns what an agent sends into the events of one turn. */
export class RemoteTurn {
  readonly #turn: Turn;
  readonly #options: RemoteTurnOptions;
  /** The text of an answer without a task. */
  readonly #answer = new TaskText();
  #messageId: string | undefined;
  #shown = "";
  #updates = 0;
  #thoughts = 0;
  #thoughtCharacters = 0;
  #thought = "";

  constructor(turn: Turn, options: RemoteTurnOptions) {
    this.#turn = turn;
    this.#options = options;
  }

  /** @throws AgentError, and what the updates throw. */
  async take(updates: AsyncIterable<AgentUpdate>): Promise<RemoteTurnEnd> {
    for await (const update of updates) {
      if (++this.#updates % BATCH === 0) await setImmediate();
      this.#turn.signal.throwIfAborted();
      if (this.#updates > MAX_UPDATES) throw this.#tooMuch(`${MAX_UPDATES.toLocaleString("en-US")} updates`);
      const contextId = update.value.contextId;
      await this.#options.began(taskIdOf(update), contextId);
      const end = this.#use(update);
      if (end !== undefined) return end;
    }
    return this.#end();
  }

  /** What of its message has been shown. */
  get shown(): string {
    return this.#shown;
  }

  get #text(): TaskText {
    return this.#options.text() ?? this.#answer;
  }

  #use(update: AgentUpdate): RemoteTurnEnd | undefined {
    switch (update.$case) {
      case "message":
        this.#add(`message ${update.value.messageId}`, partsText(update.value.parts), true);
        return undefined;
      case "artifactUpdate": {
        const { artifact, append } = update.value;
        if (artifact !== undefined) this.#add(artifact.artifactId, partsText(artifact.parts), append);
        return undefined;
      }
      case "task":
        this.#takeAll(update.value.artifacts);
        return this.#take(stateOf(update), update.value.status);
      case "statusUpdate":
        return this.#take(stateOf(update), update.value.status);
    }
  }

  #takeAll(artifacts: readonly Artifact[]): void {
    for (const artifact of artifacts) this.#add(artifact.artifactId, partsText(artifact.parts), false);
  }

  #take(state: TaskState | undefined, status: TaskStatus | undefined): RemoteTurnEnd | undefined {
    const { name } = this.#options;
    const said = partsText(status?.message?.parts ?? []);
    const why = said.trim() === "" ? "" : `: ${plainText(said)}`;
    switch (state) {
      case TaskState.TASK_STATE_COMPLETED:
        if (!this.#text.includes(said)) this.#add("status", said, false);
        return this.#end();
      case TaskState.TASK_STATE_INPUT_REQUIRED:
        return this.#asks(said);
      case TaskState.TASK_STATE_AUTH_REQUIRED:
        return {
          kind: "failed",
          isOver: false,
          message: `${name} needs you to sign in elsewhere${why}; do so, and continue.`,
        };
      case TaskState.TASK_STATE_FAILED:
        return {
          kind: "failed",
          isOver: true,
          message: `${name} failed${why}; change the task, or continue to try again.`,
        };
      case TaskState.TASK_STATE_REJECTED:
        return {
          kind: "failed",
          isOver: true,
          message: `${name} rejected the task${why}; change it, or ask another participant.`,
        };
      case TaskState.TASK_STATE_CANCELED:
        return { kind: "failed", isOver: true, message: `${name} canceled its task${why}; continue to give it again.` };
      default:
        this.#show(said);
        return undefined;
    }
  }

  #asks(said: string): RemoteTurnEnd {
    const question = said.trim();
    const isLong = question.length > MAX_QUESTION;
    if (isLong) this.#add("question", question, false);
    const text = this.#text.message;
    if (question === "") return { kind: "asks", text, question: `${this.#options.name} needs an answer to go on.` };
    return { kind: "asks", text, question: isLong ? `${question.slice(0, MAX_QUESTION - 1)}…` : question };
  }

  #end(): RemoteTurnEnd {
    return { kind: "ended", text: this.#text.message, messageId: this.#messageId };
  }

  #add(id: string, text: string, isAppended: boolean): void {
    const delta = isAppended ? this.#text.append(id, text) : this.#text.replace(id, text);
    if (this.#text.length > LIMITS.answer.characters) throw this.#tooMuchText();
    if (delta === "") return;
    this.#shown += delta;
    const source = this.#options.name;
    if (this.#messageId === undefined) {
      this.#messageId = newId("msg");
      this.#turn.emit({ type: "message/started", messageId: this.#messageId, source });
    }
    this.#turn.emit({ type: "message/chunk", messageId: this.#messageId, source, delta });
  }

  /** What the agent says about its work is a thought. */
  #show(text: string): void {
    if (text.trim() === "" || text === this.#thought) return;
    this.#thought = text;
    this.#thoughtCharacters += text.length;
    if (this.#thoughtCharacters > LIMITS.answer.characters) throw this.#tooMuchText();
    if (++this.#thoughts > MAX_THOUGHTS)
      throw this.#tooMuch(`${MAX_THOUGHTS.toLocaleString("en-US")} messages about its work`);
    this.#turn.emit({
      type: "reasoning/thought",
      from: this.#options.name,
      correlation_id: [this.#turn.id],
      message: text,
    });
  }

  #tooMuchText(): AgentError {
    return this.#tooMuch(`${LIMITS.answer.characters.toLocaleString("en-US")} characters`);
  }

  #tooMuch(what: string): AgentError {
    return new AgentError(
      `${this.#options.name} was stopped, as it sent more than ${what} in one turn; continue to ask it again.`,
    );
  }
}
