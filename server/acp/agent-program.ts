import type { ContentBlock, PromptResponse } from "@agentclientprotocol/sdk/unstable";
import type { ParticipantDefinition } from "../../shared/contract/definition.ts";
import { messageOf } from "../../shared/contract/errors.ts";
import { AgentError } from "../agents/agent-error.ts";
import { type Conversation, type News, Told } from "../agents/told.ts";
import { AgentConnection, type AgentHandlers } from "./agent-connection.ts";
import type { AgentServices, ProgramToStart } from "./agent-services.ts";
import type { CommandRequest, FileRequest } from "./inbox.ts";
import type { LivePrompt } from "./live-prompt.ts";
import { type TerminalHandlers, terminalHandlers } from "./terminal-handlers.ts";

/** A program that has had no turn for so long is ended, in milliseconds; its session is resumed by its next turn. */
const IDLE_MS = 10 * 60_000;

export interface AgentProgramOptions {
  readonly definition: ParticipantDefinition;
  readonly services: AgentServices;
  /** The prompt that it answers now. */
  readonly live: () => LivePrompt | undefined;
  /** Carries out a request of a file that needs no turn; false for one that does. */
  readonly useFile: (live: LivePrompt, request: FileRequest) => Promise<boolean>;
}

/** The session for a turn, and what it has to be told. */
export interface AgentSession {
  readonly news: News;
  /** True for a session that has been told nothing. */
  readonly isFirst: boolean;
  readonly told: Told;
  prompt(prompt: readonly ContentBlock[]): Promise<PromptResponse>;
}

interface Running {
  readonly connection: AgentConnection;
  readonly cwd: string;
  readonly program: string;
  readonly session: string;
  readonly told: Told;
}

/** What a session is opened for. */
interface Opening {
  readonly wanted: ProgramToStart;
  readonly conversation: Conversation;
  readonly signal: AbortSignal;
}

/** The program of one participant: started when it first has a turn, and its session, which outlives it. */
export class AgentProgram {
  readonly #options: AgentProgramOptions;
  #connection: AgentConnection | undefined;
  /** The commands that it has us run. */
  #terminal: TerminalHandlers | undefined;
  #running: Running | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(options: AgentProgramOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== undefined && !this.#running.connection.isOver;
  }

  get takesImages(): boolean {
    return this.#running?.connection.takesImages === true;
  }

  /** The session of the turn in progress. @throws AgentError without one. */
  get session(): Pick<Running, "told" | "cwd"> {
    if (this.#running === undefined) throw new AgentError(`${this.#options.definition.name} is not running.`);
    return this.#running;
  }

  /**
   * A session that knows the conversation, but for what is new in it: the one that runs, the one of an earlier process,
   * or a new one, which is told everything.
   * @throws AgentError when the program may not be started, or cannot.
   */
  async sessionFor(conversation: Conversation, signal: AbortSignal): Promise<AgentSession> {
    clearTimeout(this.#idle);
    const running = this.#running;
    const news = this.isRunning ? running?.told.news(conversation) : undefined;
    if (running !== undefined && news !== undefined) return this.#sessionOf(running, news, false);
    const wanted = await this.#wanted();
    const connection = await this.#connect(wanted, signal);
    // It may not answer.
    const kill = (): void => connection.kill();
    signal.addEventListener("abort", kill, { once: true });
    try {
      return await this.#openSession(connection, { wanted, conversation, signal });
    } finally {
      signal.removeEventListener("abort", kill);
    }
  }

  async #openSession(connection: AgentConnection, { wanted, conversation, signal }: Opening): Promise<AgentSession> {
    const { services } = this.#options;
    const program = JSON.stringify([wanted.command, wanted.args, wanted.cwd]);
    const kept = !this.isRunning ? await services.session() : undefined;
    const told = new Told(kept?.told);
    const since = kept?.program === program ? told.news(conversation) : undefined;
    if (kept !== undefined && since !== undefined && (await connection.resumeSession(kept.session, wanted.cwd))) {
      this.#running = { connection, cwd: wanted.cwd, program, session: kept.session, told };
      return this.#sessionOf(this.#running, since, false);
    }
    signal.throwIfAborted();
    this.#terminal?.close();
    const session = await connection.newSession(wanted.cwd);
    this.#running = { connection, cwd: wanted.cwd, program, session, told: new Told() };
    const all = { items: [...conversation.earlier, ...conversation.own], cutAfter: undefined };
    return this.#sessionOf(this.#running, all, true);
  }

  /** The turn has ended; `unseen` is what the agent said and the conversation does not show to it. */
  async turnEnded(unseen: string): Promise<void> {
    this.#running?.told.unsay(unseen);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(), IDLE_MS);
    this.#idle.unref();
    await this.keepSession();
  }

  /** Keeps the session as it is now. One that cannot be kept is told everything again, should it have to be resumed. */
  async keepSession(): Promise<void> {
    if (this.#running === undefined) return;
    const { session, program, told } = this.#running;
    await this.#options.services.keepSession({ session, program, told: told.record }).catch(() => {});
  }

  /** What it does is cancelled. */
  cancel(): void {
    if (this.#running !== undefined) this.#running.connection.cancel(this.#running.session);
  }

  /** The prompt has failed: what the session knows by now is not certain, so the next one is told everything. */
  failed(isFatal: boolean): void {
    if (isFatal) this.kill();
    this.#running = undefined;
  }

  /** Ends the program at once, and its session. */
  kill(): void {
    this.#terminal?.close();
    this.#connection?.kill();
    this.#connection = undefined;
    this.#running = undefined;
  }

  /** Ends the program. */
  close(): void {
    clearTimeout(this.#idle);
    this.#end();
  }

  #end(): void {
    this.#terminal?.close();
    this.#connection?.stop();
    this.#connection = undefined;
    this.#running = undefined;
  }

  #sessionOf({ connection, session, told }: Running, news: News, isFirst: boolean): AgentSession {
    return { news, isFirst, told, prompt: (blocks) => connection.prompt(session, blocks) };
  }

  async #wanted(): Promise<ProgramToStart> {
    const { definition, services } = this.#options;
    const { name, command = "", args = [], env = {} } = definition;
    try {
      return { participant: name, command, args, env, cwd: await services.folder(definition.cwd) };
    } catch (error) {
      throw new AgentError(`${name} cannot start: ${messageOf(error)}`);
    }
  }

  async #connect(wanted: ProgramToStart, signal: AbortSignal): Promise<AgentConnection> {
    if (this.#connection !== undefined && !this.#connection.isOver) return this.#connection;
    const { services } = this.#options;
    const { participant: name, command, args, cwd, env } = wanted;
    const isAllowed = await services.mayStart(wanted, signal).catch((error: unknown) => {
      throw new AgentError(`${name} was not started: you could not be asked (${messageOf(error).replace(/\.$/, "")}).`);
    });
    if (!isAllowed) {
      signal.throwIfAborted();
      throw new AgentError(`${name} was not started, as you have not allowed its program; continue to be asked again.`);
    }
    signal.throwIfAborted();
    const program = { command, args, cwd, env: services.environment(env) };
    const terminal = terminalHandlers(cwd, (request) => this.#command(request));
    this.#connection = await AgentConnection.start(
      { name, program, version: services.version },
      { ...this.#handlers, terminal },
      signal,
    ).catch((error: unknown) => {
      terminal.close();
      throw error;
    });
    this.#terminal = terminal;
    void this.#connection.ended.then((why) => {
      terminal.close();
      services.log(why);
    });
    return this.#connection;
  }

  /** What comes while no prompt is answered is not for anyone. */
  readonly #handlers: Omit<AgentHandlers, "terminal"> = {
    update: (update) => this.#options.live()?.update(update),
    permission: (request) =>
      new Promise((answer) => {
        const live = this.#options.live();
        if (live === undefined) answer({ outcome: { outcome: "cancelled" } });
        else live.inbox.push({ kind: "permission", request: { ...request, answer } });
      }),
    readFile: async ({ path, line, limit }) => {
      const range = { ...(line == null ? {} : { line }), ...(limit == null ? {} : { limit }) };
      const content = await this.#file("readFile", { path, ...range });
      return typeof content === "string" ? content : "";
    },
    writeFile: async ({ path, content }) => void (await this.#file("writeFile", { path, content })),
    ready: async () => this.#options.live()?.inbox.room(),
  };

  #command(request: Pick<CommandRequest, "tool" | "input" | "terminal">): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const live = this.#options.live();
      if (live === undefined) reject(new Error("There is no turn that this is for."));
      else live.inbox.push({ kind: "command", request: { ...request, resolve, reject } });
    });
  }

  #file(tool: "readFile" | "writeFile", input: FileRequest["input"]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { live: current, useFile } = this.#options;
      const live = current();
      if (live === undefined) return reject(new Error("There is no turn that this is for."));
      const request = { tool, input, resolve, reject };
      void useFile(live, request).then((isDone) => {
        if (isDone) return;
        if (current() === live) live.inbox.push({ kind: "file", request });
        else reject(new Error("The turn was cancelled."));
      });
    });
  }
}
