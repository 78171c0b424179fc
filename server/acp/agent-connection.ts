import type {
  AgentCapabilities,
  AuthMethod,
  ClientConnection,
  ContentBlock,
  PromptResponse,
  ReadTextFileRequest,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  WriteTextFileRequest,
} from "@agentclientprotocol/sdk/unstable";
import { messageOf } from "../../shared/contract/errors.ts";
import { AgentError } from "../agents/agent-error.ts";
import { type Program, ProgramProcess } from "../programs/index.ts";
import { messageStream } from "./message-stream.ts";
import { missingProgram } from "./missing-program.ts";
import type { TerminalHandlers } from "./terminal-handlers.ts";

/** The version of the protocol that the SDK speaks. */
const PROTOCOL = 1;

/** How long a program may take to answer its first message, in milliseconds: a package runner may have to fetch it. */
const START_MS = 120_000;

/** How long a program that is not wanted any more may go on after its input is closed, in milliseconds. */
const STOP_MS = 0;

/** The id of a session is kept with each turn. */
const MAX_SESSION_ID = 1_000;

/** JSON-RPC's code for an agent that needs a login. */
const AUTH_REQUIRED = -32_000;

/** JSON-RPC's code for a request that failed. */
const INTERNAL_ERROR = -32_603;

/** What an agent asks and tells. What these throw is its answer. */
export interface AgentHandlers {
  readonly update: (update: SessionUpdate) => void;
  readonly permission: (request: RequestPermissionRequest) => Promise<RequestPermissionResponse>;
  readonly readFile: (request: ReadTextFileRequest) => Promise<string>;
  readonly writeFile: (request: WriteTextFileRequest) => Promise<void>;
  readonly terminal: TerminalHandlers;
  /** Resolves when the agent may send more. */
  readonly ready: () => Promise<void>;
}

export interface AgentStart {
  /** The participant, for errors. */
  readonly name: string;
  readonly program: Program;
  readonly version: string;
}

/** A running agent program, and its connection. Each method throws an AgentError, in one sentence, when it is over. */
export class AgentConnection {
  /** Resolves with why the program has ended, or its connection, as a sentence. Never rejects. */
  readonly ended: Promise<string>;
  readonly #options: AgentStart;
  readonly #process: ProgramProcess;
  readonly #connection: ClientConnection;
  #capabilities: AgentCapabilities = {};
  #authMethods: readonly AuthMethod[] = [];
  #why: string | undefined;
  #session: string | undefined;
  #isReplaying = false;

  private constructor(
    options: AgentStart,
    process: ProgramProcess,
    connect: (of: () => AgentConnection) => ClientConnection,
  ) {
    this.#options = options;
    this.#process = process;
    this.#connection = connect(() => this);
    const closed = this.#connection.closed.then(() => this.#closedText());
    this.ended = Promise.race([process.ended.then((how) => this.#endText(how)), closed]).then((why) => {
      this.#why = why;
      void process.stop(STOP_MS);
      return why;
    });
  }

  /** Starts the program, and says hello. @throws AgentError. */
  static async start(options: AgentStart, handlers: AgentHandlers, signal: AbortSignal): Promise<AgentConnection> {
    const { client, methods, RequestError } = await import("./sdk.ts");
    // Of any other error the agent would not see what it says.
    const told = async <T>(answer: () => T | Promise<T>): Promise<T> => {
      try {
        return await answer();
      } catch (error) {
        throw new RequestError(INTERNAL_ERROR, messageOf(error));
      }
    };
    signal.throwIfAborted();
    const process = startProcess(options);
    const agent = new AgentConnection(options, process, (of) =>
      client({ name: "gavel" })
        .onNotification(methods.client.session.update, ({ params }) => {
          if (of().#hears(params.sessionId)) handlers.update(params.update);
        })
        .onRequest(methods.client.session.requestPermission, ({ params }) => handlers.permission(params))
        .onRequest(methods.client.fs.readTextFile, async ({ params }) => ({
          content: await told(() => handlers.readFile(params)),
        }))
        .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
          await told(() => handlers.writeFile(params));
          return {};
        })
        .onRequest(methods.client.terminal.create, ({ params }) => told(() => handlers.terminal.create(params)))
        .onRequest(methods.client.terminal.output, ({ params }) => told(() => handlers.terminal.output(params)))
        .onRequest(methods.client.terminal.waitForExit, ({ params }) =>
          told(() => handlers.terminal.waitForExit(params)),
        )
        .onRequest(methods.client.terminal.kill, async ({ params }) => {
          await told(() => handlers.terminal.kill(params));
          return {};
        })
        .onRequest(methods.client.terminal.release, async ({ params }) => {
          await told(() => handlers.terminal.release(params));
          return {};
        })
        .connect(messageStream(process, handlers.ready)),
    );
    const onAbort = (): void => agent.kill();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await agent.#initialize();
      return agent;
    } catch (error) {
      agent.kill();
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  get takesImages(): boolean {
    return this.#capabilities.promptCapabilities?.image === true;
  }

  /** True once it has ended. */
  get isOver(): boolean {
    return this.#why !== undefined;
  }

  async newSession(cwd: string): Promise<string> {
    const { sessionId } = await this.#ask((agent) => agent.request("session/new", { cwd, mcpServers: [] }));
    if (typeof sessionId !== "string" || sessionId.length > MAX_SESSION_ID)
      throw this.#error("gave its session no id that can be kept");
    this.#session = sessionId;
    return sessionId;
  }

  /** Goes on with a session of an earlier process; false if the agent cannot, or no longer knows it. */
  async resumeSession(sessionId: string, cwd: string): Promise<boolean> {
    const { loadSession, sessionCapabilities } = this.#capabilities;
    const method = sessionCapabilities?.resume ? "session/resume" : loadSession ? "session/load" : undefined;
    if (method === undefined) return false;
    this.#session = sessionId;
    this.#isReplaying = true;
    try {
      await this.#ask((agent) => agent.request(method, { sessionId, cwd, mcpServers: [] }));
      // What it has replayed is handled by then.
      await new Promise((resolve) => setImmediate(resolve));
      return true;
    } catch (error) {
      this.#session = undefined;
      if (this.isOver) throw error;
      return false;
    } finally {
      this.#isReplaying = false;
    }
  }

  /** Resolves when the agent has ended its turn, and everything before that is handled. */
  async prompt(sessionId: string, prompt: readonly ContentBlock[]): Promise<PromptResponse> {
    const response = await this.#ask((agent) => agent.request("session/prompt", { sessionId, prompt: [...prompt] }));
    await new Promise((resolve) => setImmediate(resolve));
    return response;
  }

  cancel(sessionId: string): void {
    this.#connection.agent.notify("session/cancel", { sessionId }).catch(() => {});
  }

  /** Ends the program. */
  stop(): void {
    void this.#process.stop(STOP_MS);
  }

  /** Ends the program at once. */
  kill(): void {
    this.#process.killNow();
  }

  #hears(sessionId: string): boolean {
    return sessionId === this.#session && !this.#isReplaying;
  }

  async #initialize(): Promise<void> {
    const timer = Promise.withResolvers<never>();
    const late = setTimeout(
      () => timer.reject(this.#error(`did not answer within ${START_MS / 1000} s of its start`)),
      START_MS,
    );
    try {
      const asked = this.#ask((agent) =>
        agent.request("initialize", {
          protocolVersion: PROTOCOL,
          clientInfo: { name: "gavel", title: "Gavel", version: this.#options.version },
          clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
        }),
      );
      const { protocolVersion, agentCapabilities = {}, authMethods = [] } = await Promise.race([asked, timer.promise]);
      if (protocolVersion !== PROTOCOL) {
        const sentence = `speaks version ${protocolVersion} of the Agent Client Protocol, and Gavel version ${PROTOCOL}`;
        throw this.#error(`${sentence}; install a version of it that speaks version ${PROTOCOL}`);
      }
      this.#capabilities = agentCapabilities;
      this.#authMethods = authMethods;
    } finally {
      clearTimeout(late);
    }
  }

  /** A request that ends with the program. @throws AgentError. */
  async #ask<T>(send: (agent: ClientConnection["agent"]) => Promise<T>): Promise<T> {
    const over = this.ended.then((why): never => {
      throw new AgentError(why);
    });
    over.catch(() => {});
    try {
      return await Promise.race([send(this.#connection.agent), over]);
    } catch (error) {
      if (error instanceof AgentError) throw error;
      // The connection ends before it is known why.
      if (this.#connection.signal.aborted) throw new AgentError(await this.ended);
      throw this.#refusal(error);
    }
  }

  #refusal(error: unknown): AgentError {
    const { name, program } = this.#options;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== AUTH_REQUIRED) return this.#error(`answered with an error: ${plainText(messageOf(error))}`);
    const ways = this.#authMethods.map((method) => `"${plainText(method.name)}"`);
    const how = ways.length === 0 ? "" : ` (${ways.join(" or ")})`;
    return new AgentError(
      `${name} needs a login${how}: run ${program.command} once in a terminal and log in, or give its key in \`env\` in the team file.`,
    );
  }

  #error(what: string): AgentError {
    return new AgentError(`The program of ${this.#options.name} (${this.#options.program.command}) ${what}.`);
  }

  #endText(how: string): string {
    const { name, program } = this.#options;
    const { lastError } = this.#process;
    if (how === "ended with code 127" || how.includes("ENOENT")) return missingProgram(name, program.command);
    const said = lastError === undefined ? "" : ` Its last words were: ${lastError}`;
    return `The program of ${name} (${program.command}) ${how}; continue to start it again.${said}`;
  }

  /** The process ends at the same time mostly, and says more. */
  async #closedText(): Promise<string> {
    const reason: unknown = this.#connection.signal.reason;
    if (reason instanceof AgentError)
      return `${this.#options.name} was stopped: ${lowerFirst(reason.message)}; continue to start it again.`;
    void this.#process.stop(STOP_MS);
    return this.#endText(await this.#process.ended);
  }
}

/** @throws AgentError for a program that cannot be started, where that is known at once. */
function startProcess({ name, program }: AgentStart): ProgramProcess {
  try {
    return new ProgramProcess(program);
  } catch {
    throw new AgentError(missingProgram(name, program.command));
  }
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** A text of the agent in a sentence. */
const plainText = (text: string): string =>
  text
    .replace(/\p{C}+/gu, " ")
    .trim()
    .slice(0, 500)
    .replace(/\.$/, "");
