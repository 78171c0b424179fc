import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Message, type Part, Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import { type Client, ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from "@a2a-js/sdk/client";
import { A2AError } from "@a2a-js/sdk/errors";
import { messageOf } from "../../shared/contract/errors.ts";
import { AgentError } from "../agents/agent-error.ts";
import type { UsedCard } from "./agent-card.ts";
import { LostConnection, plainText, TaskGone } from "./link-errors.ts";

/** How long an agent may be silent, in milliseconds, before it is asked how its task is: that of models. */
const SILENT_MS = 10 * 60_000;
/** How often a connection is made again that breaks each time without anything new, and the first wait before it. */
const MAX_TRIES = 5;
const FIRST_WAIT_MS = 500;
/** Between two questions about a task: at first, and at most. */
const POLL_MS = { first: 250, most: 5_000 };

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
type StartTimer = (onEnd: () => void, ms: number) => NodeJS.Timeout;

/** What an agent has sent: a message, a task, or what has changed of one. */
export type AgentUpdate = NonNullable<StreamResponse["payload"]>;

export interface Sent {
  readonly parts: readonly Part[];
  /** Empty for a new conversation. */
  readonly contextId: string;
  /** The task that waits for this message. */
  readonly taskId?: string | undefined;
}

/** A task, or what may become one, through all of its connections. */
interface Following {
  taskId: string | undefined;
  /** Connections that gave nothing, one after the other. */
  tries: number;
  open: (signal: AbortSignal) => AsyncIterable<StreamResponse>;
  isFirst: boolean;
  readonly isNew: boolean;
}

interface Broken {
  readonly why: unknown;
  readonly wasSilent: boolean;
}

/** The states in which an agent does nothing more by itself. */
const SETTLED: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
  TaskState.TASK_STATE_INPUT_REQUIRED,
  TaskState.TASK_STATE_AUTH_REQUIRED,
]);

/** Where a task is; undefined for what says nothing of it. */
export function stateOf(update: AgentUpdate): TaskState | undefined {
  return update.$case === "task" || update.$case === "statusUpdate" ? update.value.status?.state : undefined;
}

export const taskIdOf = (update: AgentUpdate): string | undefined => {
  const id = update.$case === "task" ? update.value.id : update.value.taskId;
  return id === "" ? undefined : id;
};

/** The connection to one agent, which is made again when it breaks. */
export class AgentLink {
  readonly address: URL;
  readonly #name: string;
  readonly #client: Client;
  readonly #streams: boolean;
  readonly #startTimer: StartTimer;

  private constructor(name: string, { card, address }: UsedCard, client: Client, startTimer: StartTimer) {
    this.#name = name;
    this.address = address;
    this.#client = client;
    this.#streams = card.capabilities?.streaming === true;
    this.#startTimer = startTimer;
  }

  /** Sends nothing yet. `startTimer` measures how long the agent is silent. */
  static async to(name: string, used: UsedCard, fetch: Fetch, startTimer: StartTimer = setTimeout): Promise<AgentLink> {
    const options = { fetchImpl: asFetch(fetch), legacyCompat: { enabled: true } };
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
    });
    return new AgentLink(name, used, await factory.createFromAgentCard(used.card), startTimer);
  }

  /**
   * Sends a message. Ends after a message that is the whole answer, or with the update in which the task has come to rest.
   * @throws AgentError, one sentence.
   */
  send({ parts, contextId, taskId = "" }: Sent, signal: AbortSignal): AsyncGenerator<AgentUpdate, void, undefined> {
    const message: Message = {
      messageId: randomUUID(),
      contextId,
      taskId,
      role: Role.ROLE_USER,
      parts: [...parts],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
    const params = {
      tenant: "",
      message,
      metadata: undefined,
      configuration: {
        acceptedOutputModes: [],
        taskPushNotificationConfig: undefined,
        returnImmediately: !this.#streams,
      },
    };
    return this.#followed(taskId === "" ? undefined : taskId, signal, (during) =>
      this.#streams ? this.#client.sendMessageStream(params, { signal: during }) : this.#answer(params, during),
    );
  }

  /** Goes on with a task that runs. @throws AgentError, one sentence; {@link TaskGone} if the agent no longer knows it. */
  resume(taskId: string, signal: AbortSignal): AsyncGenerator<AgentUpdate, void, undefined> {
    return this.#followed(taskId, signal, (during) => this.#again(taskId, during));
  }

  /** Asks the agent to end a task. Resolves with whether it has ended. Never rejects. */
  async cancel(taskId: string, signal: AbortSignal): Promise<boolean> {
    const ended = (task: Task): boolean => SETTLED.has(task.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED);
    try {
      return ended(await this.#client.cancelTask({ tenant: "", id: taskId, metadata: undefined }, { signal }));
    } catch (error) {
      if (asA2aError(error) === undefined) return false;
      // It may have ended by itself.
      return this.#get(taskId, signal).then(ended, (thrown: unknown) => thrown instanceof TaskGone);
    }
  }

  async *#followed(
    taskId: string | undefined,
    signal: AbortSignal,
    open: Following["open"],
  ): AsyncGenerator<AgentUpdate, void, undefined> {
    const following: Following = { taskId, tries: 0, open, isFirst: true, isNew: taskId === undefined };
    for (;;) {
      const broken = yield* this.#part(following, signal);
      if (broken === undefined) return;
      signal.throwIfAborted();
      await this.#reopen(following, broken, signal);
    }
  }

  /** What one connection gives; returns how it broke, if it did. */
  async *#part(following: Following, signal: AbortSignal): AsyncGenerator<AgentUpdate, Broken | undefined, undefined> {
    const silence = new AbortController();
    const timer = this.#startTimer(() => silence.abort(), SILENT_MS);
    try {
      for await (const { payload } of following.open(AbortSignal.any([signal, silence.signal]))) {
        timer.refresh();
        if (payload === undefined) continue;
        following.tries = 0;
        following.taskId = taskIdOf(payload) ?? following.taskId;
        const isOver = SETTLED.has(stateOf(payload) ?? TaskState.TASK_STATE_UNSPECIFIED);
        const { taskId, isFirst } = following;
        // Something may have been missed while there was no connection.
        const isWhole = isFirst || !isOver || payload.$case === "task" || taskId === undefined;
        yield isWhole ? payload : { $case: "task", value: await this.#get(taskId, signal) };
        if (isOver || (payload.$case === "message" && taskId === undefined)) return undefined;
      }
      return { why: undefined, wasSilent: false };
    } catch (why) {
      return { why, wasSilent: silence.signal.aborted };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Chooses how to go on after a connection broke. @throws AgentError when that is not possible. */
  async #reopen(following: Following, { why, wasSilent }: Broken, signal: AbortSignal): Promise<void> {
    const { taskId, isFirst, isNew, tries } = following;
    const refused = asA2aError(why);
    const isLasting = why instanceof AgentError && !(why instanceof LostConnection);
    const isRefused = refused !== undefined && isFirst && isNew;
    if (taskId === undefined || isLasting || isRefused || tries >= MAX_TRIES) throw this.#error(why, wasSilent);
    if (refused === undefined && tries > 0) await pause(FIRST_WAIT_MS * 2 ** tries, undefined, { signal });
    following.tries += 1;
    following.isFirst = false;
    // What cannot be streamed again is over, or not known any more, or the agent does not do that.
    following.open = (during) => (refused === undefined ? this.#again(taskId, during) : this.#polled(taskId, during));
  }

  #again(id: string, signal: AbortSignal): AsyncIterable<StreamResponse> {
    return this.#streams ? this.#client.resubscribeTask({ tenant: "", id }, { signal }) : this.#polled(id, signal);
  }

  /** The answer of an agent that does not stream, whose task is then asked for until it has come to rest. */
  async *#answer(
    params: Parameters<Client["sendMessage"]>[0],
    signal: AbortSignal,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const result = await this.#client.sendMessage(params, { signal });
    if ("messageId" in result) yield { payload: { $case: "message", value: result } };
    else {
      yield { payload: { $case: "task", value: result } };
      yield* this.#polled(result.id, signal, POLL_MS.first);
    }
  }

  async *#polled(id: string, signal: AbortSignal, first = 0): AsyncGenerator<StreamResponse, void, undefined> {
    for (let wait = first; ; wait = Math.min(Math.max(wait, POLL_MS.first) * 1.5, POLL_MS.most)) {
      await pause(wait, undefined, { signal });
      yield { payload: { $case: "task", value: await this.#get(id, signal) } };
    }
  }

  async #get(id: string, signal: AbortSignal): Promise<Task> {
    try {
      return await this.#client.getTask({ tenant: "", id, historyLength: 0 }, { signal });
    } catch (error) {
      if (asA2aError(error) !== undefined)
        throw new TaskGone(`${this.#name} does not know its task any more; continue to give it again.`);
      throw error;
    }
  }

  #error(why: unknown, wasSilent: boolean): AgentError {
    if (wasSilent)
      return new AgentError(
        `${this.#name} has sent nothing for ${SILENT_MS / 60_000} minutes; check ${this.address.host}, and continue.`,
      );
    if (why instanceof AgentError) return why;
    const refused = asA2aError(why);
    if (refused !== undefined)
      return new AgentError(
        `${this.#name} answered with an error: ${plainText(messageOf(refused))}; continue to ask it again.`,
      );
    if (why === undefined)
      return new AgentError(`${this.#name} ended its answer before it was complete; continue to ask it again.`);
    return new AgentError(
      `${this.#name} sent what is not Agent2Agent (${plainText(messageOf(why))}); check \`url\` in the team file, or ask whoever runs the agent.`,
    );
  }
}

function asA2aError(error: unknown): A2AError | undefined {
  if (error instanceof A2AError) return error;
  return error instanceof Error && error.cause instanceof A2AError ? error.cause : undefined;
}

/** The SDK gives an address and options. */
const asFetch =
  (fetch: Fetch): typeof globalThis.fetch =>
  (input, init) =>
    fetch(input instanceof Request ? input.url : input, init);
