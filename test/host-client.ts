import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import {
  type CancellationToken,
  CancellationTokenSource,
  createMessageConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type { z } from "zod";
import { root } from "../scripts/root.ts";
import { BatchedWriter } from "../server/host/connection/batched-writer.ts";
import {
  CredentialsGet,
  EndpointsAllow,
  InterruptReceived,
  McpElicit,
  McpInput,
  McpSignIn,
  ProgramsAllow,
  StorageStatusNotification,
  TeamEventNotification,
  ToolsCall,
} from "../shared/contract/client-requests.ts";
import type { TeamEvent } from "../shared/contract/event.ts";
import type { RequestMessage } from "../shared/contract/message-type.ts";
import type { StorageStatus } from "../shared/contract/storage.ts";
import { endLeases, testStore } from "./test-store.ts";

/** The host under test: the built one, or one that `npm run mutate` has built with a mutant in it. */
export const SERVER = process.env["GAVEL_SERVER"] ?? join(root, "dist", "server.js");

type Settings = Readonly<Record<string, unknown>>;

export interface HostOptions {
  readonly storagePath?: string;
  /** The address of a store on a server. */
  readonly store?: string;
  /** The address of a link to workers. */
  readonly link?: string;
  readonly globalStoragePath?: string;
  readonly mcpFiles?: readonly string[];
  /** Lets other clients join the host. */
  readonly share?: boolean;
  readonly scratchPath?: string;
  readonly user?: { readonly id: string; readonly name: string };
  /** Called when an interrupt of this client has taken effect, with the team's id. */
  readonly onInterruptReceived?: (teamId: string) => void;
  /** The client's open folders, as URIs. */
  readonly folders?: readonly string[];
  /** The environment's key; none if left out. */
  readonly environmentKey?: string;
  /** Further variables of the host's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What `credentials/get` gives, by secret. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Answers `endpoints/allow`; without it the client does not know the request. */
  readonly onEndpoint?: (
    params: z.infer<typeof EndpointsAllow.params>,
    signal: AbortSignal,
  ) => Promise<boolean> | boolean;
  /** Answers `programs/allow`; without it the client does not know the request. */
  readonly onProgram?: (
    params: z.infer<typeof ProgramsAllow.params>,
    signal: AbortSignal,
  ) => Promise<boolean> | boolean;
  /** Answers `mcp/input`. */
  readonly onInput?: (params: z.infer<typeof McpInput.params>) => string | null;
  /** Answers `mcp/elicit`. */
  readonly onElicit?: (
    params: z.infer<typeof McpElicit.params>,
    signal: AbortSignal,
  ) => Promise<z.input<typeof McpElicit.result>> | z.input<typeof McpElicit.result>;
  /** The setting `gavel.model`. */
  readonly model?: unknown;
  /** Other settings, by section. */
  readonly settings?: Settings | Promise<Settings>;
  readonly transport?: "stdio" | "node-ipc";
  /** The most that the host's heap may hold. */
  readonly heapMegabytes?: number;
  /** The script to start; the built host if left out. */
  readonly script?: string;
  /** For measurements: no time of the client's own. Results are not validated, and each message is one write. */
  readonly unchecked?: true;
  /** Answers `window/showMessageRequest` with the title of an action; without it the client does not know the request. */
  readonly onQuestion?: (
    message: string,
    actions: readonly string[],
  ) => Promise<string | undefined> | string | undefined;
  /** Runs the host as this user of the system. */
  readonly uid?: number;
  /** A program with its arguments that starts the host, whose own command follows. */
  readonly startedBy?: readonly string[];
  /** A module that is loaded before the host's own, also in its threads. */
  readonly preload?: string;
  /** Keeps what the host writes to stderr from that of the test. */
  readonly stderr?: "pipe";
  readonly onToolCall?: (params: z.infer<typeof ToolsCall.params>, signal: AbortSignal) => Promise<unknown> | unknown;
}

/** One line of the host's log. */
export interface LogLine {
  readonly level: "error" | "warn" | "info" | "debug";
  readonly message: string;
}

/** LSP's `MessageType`, by number. */
const LEVELS: Readonly<Record<number, LogLine["level"]>> = { 1: "error", 2: "warn", 3: "info", 4: "debug", 5: "debug" };

/** The host waits long for those that it has interrupted. */
export const LONG_GRACES: HostOptions = { preload: new URL("contract/harness/long-graces.ts", import.meta.url).href };

/** The host waits for those that it has interrupted as long as for users. */
export const USUAL_GRACES: HostOptions = { preload: "data:text/javascript," };

interface Waiting {
  readonly matches: (event: TeamEvent) => boolean;
  readonly resolve: (event: TeamEvent) => void;
}

/** Whoever can send requests to a host. */
export type Asks = Pick<HostClient, "send">;

/** A client of the agent host as a third party would write it: it starts `dist/server.js` and knows only the protocol. */
export class HostClient implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly connection: MessageConnection;
  /** Every event received so far, by team, in order. */
  readonly events = new Map<string, TeamEvent[]>();
  readonly logs: LogLine[] = [];
  readonly shown: string[] = [];
  /** What the host said of its storage. */
  readonly storage: StorageStatus[] = [];
  /** What `credentials/get` asked for: each secret, and where it was to be sent. */
  readonly secretsAsked: Omit<z.infer<typeof CredentialsGet.params>, "endpoint">[] = [];
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #storageWaiting: (() => void)[] = [];
  readonly #unchecked: boolean;
  /** The address of the store that the test command has chosen for this host; undefined for another one. */
  #testStore: string | undefined;

  constructor(options: HostOptions = {}) {
    const { transport = "stdio", environmentKey, unchecked = false, stderr = "inherit" } = options;
    this.#unchecked = unchecked;
    const { OPENAI_API_KEY, ...inherited } = process.env;
    const environment = { ...inherited, ...options.environment };
    const [program = process.execPath, ...args] = hostCommand(options);
    this.process = spawn(program, [...args, `--${transport}`], {
      stdio: transport === "stdio" ? ["pipe", "pipe", stderr] : ["ignore", "pipe", stderr, "ipc"],
      env: environmentKey === undefined ? environment : { ...environment, OPENAI_API_KEY: environmentKey },
      ...(options.uid === undefined ? {} : { uid: options.uid }),
    });
    this.connection = connect(this.process, transport, unchecked);
    this.#listen(options);
    this.connection.listen();
  }

  /** A host that is initialized and ready. */
  static async start(options: HostOptions = {}): Promise<HostClient> {
    const client = new HostClient(options);
    await client.initialize(options);
    await client.connection.sendNotification("initialized", {});
    return client;
  }

  initialize(options: HostOptions = {}): Promise<unknown> {
    const { storagePath, link, globalStoragePath, scratchPath, mcpFiles, share, user, folders } = options;
    this.#testStore = options.store === undefined ? testStore(storagePath) : undefined;
    const store = options.store ?? this.#testStore;
    return this.connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: null,
      workspaceFolders: folders?.map((uri) => ({ uri, name: uri })) ?? null,
      capabilities: {
        workspace: { configuration: true, workspaceFolders: true, diagnostics: { refreshSupport: true } },
      },
      initializationOptions: {
        ...(storagePath === undefined ? {} : { storagePath }),
        ...(store === undefined ? {} : { store }),
        ...(link === undefined ? {} : { link }),
        ...(globalStoragePath === undefined ? {} : { globalStoragePath }),
        ...(scratchPath === undefined ? {} : { scratchPath }),
        ...(mcpFiles === undefined ? {} : { mcpFiles }),
        ...(share === undefined ? {} : { share }),
        ...(user === undefined ? {} : { user }),
        ...(options.onInterruptReceived === undefined ? {} : { interruptReceived: true }),
      },
    });
  }

  /** Sends a request and validates its result. An abort sends `$/cancelRequest`. */
  async send<P extends z.ZodType, R extends z.ZodType>(
    message: RequestMessage<P, R>,
    params: z.input<P>,
    signal?: AbortSignal,
  ): Promise<z.output<R>> {
    const result = await this.sendRaw(message.method, params, signal);
    return this.#unchecked ? (result as z.output<R>) : message.result.parse(result);
  }

  sendRaw(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const source = new CancellationTokenSource();
    const cancel = (): void => source.cancel();
    signal?.addEventListener("abort", cancel);
    return this.connection
      .sendRequest(method, params, source.token)
      .finally(() => signal?.removeEventListener("abort", cancel));
  }

  /** Passes every event to `listener` as it arrives, in place of {@link events}: neither validated nor recorded. */
  onEvent(listener: (teamId: string, event: TeamEvent) => void): void {
    this.connection.onNotification(TeamEventNotification.method, ({ teamId, event }) => listener(teamId, event));
  }

  eventsOf(teamId: string): readonly TeamEvent[] {
    return this.events.get(teamId) ?? [];
  }

  /** The first event of the team, past or future, that `matches`. */
  event(teamId: string, matches: (event: TeamEvent) => boolean): Promise<TeamEvent> {
    const told = this.eventsOf(teamId).find(matches);
    if (told !== undefined) return Promise.resolve(told);
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(teamId) ?? new Set();
      waiting.add({ matches, resolve });
      this.#waiting.set(teamId, waiting);
    });
  }

  /** Resolves when the host has said that its storage is in that state, since it started. */
  async storageIs(state: StorageStatus["state"]): Promise<void> {
    while (!this.storage.some((status) => status.state === state))
      await new Promise<void>((resolve) => this.#storageWaiting.push(resolve));
  }

  /** Resolves when open messages have `count` or more characters. */
  async streamed(teamId: string, count: number): Promise<void> {
    await this.event(teamId, () => openText(this.eventsOf(teamId)).length >= count);
  }

  /** Kills the host, without a chance to clean up. Where it has a lease of the test command's store, that ends too. */
  async kill(): Promise<void> {
    const gone = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await gone;
    this.connection.dispose();
    if (this.#testStore !== undefined) await endLeases(this.#testStore);
  }

  /** Ends the host with LSP's shutdown and exit; returns the exit code. */
  async shutdown(): Promise<number | null> {
    await this.connection.sendRequest("shutdown");
    const gone = once(this.process, "exit");
    const late = setTimeout(() => this.process.kill("SIGKILL"), 120_000);
    await this.connection.sendNotification("exit");
    await gone;
    clearTimeout(late);
    this.connection.dispose();
    return this.process.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.kill();
  }

  #listen({
    keys,
    model,
    settings,
    onEndpoint,
    onProgram,
    onInput,
    onElicit,
    onQuestion,
    onToolCall,
    onInterruptReceived,
  }: HostOptions): void {
    this.connection.onNotification(InterruptReceived.method, ({ teamId }) => onInterruptReceived?.(teamId));
    this.connection.onNotification(TeamEventNotification.method, (params) => {
      const { teamId, event } = TeamEventNotification.params.parse(params);
      const told = this.events.get(teamId);
      if (told === undefined) this.events.set(teamId, [event]);
      else told.push(event);
      const waiting = this.#waiting.get(teamId) ?? new Set();
      for (const one of waiting) {
        if (!one.matches(event)) continue;
        waiting.delete(one);
        one.resolve(event);
      }
    });
    this.connection.onNotification("window/logMessage", ({ type, message }) => {
      this.logs.push({ level: LEVELS[type] ?? "debug", message });
    });
    this.connection.onNotification("window/showMessage", ({ message }) => void this.shown.push(message));
    this.connection.onNotification(StorageStatusNotification.method, (params) => {
      this.storage.push(StorageStatusNotification.params.parse(params));
      for (const notice of this.#storageWaiting.splice(0)) notice();
    });
    if (onQuestion !== undefined) {
      this.connection.onRequest(
        "window/showMessageRequest",
        async ({ message, actions = [] }: { message: string; actions?: readonly { title: string }[] }) => {
          const titles = actions.map(({ title }) => title);
          const title = await onQuestion(message, titles);
          return title === undefined ? null : { title };
        },
      );
    }
    this.connection.onRequest(
      "workspace/configuration",
      async ({ items }: { items: readonly { section?: string }[] }) => {
        const others = await settings;
        return items.map(({ section = "" }) =>
          section === "gavel.model" ? (model ?? null) : (others?.[section] ?? null),
        );
      },
    );
    if (keys !== undefined) {
      this.connection.onRequest(CredentialsGet.method, (params) => {
        const { endpoint: _, ...asked } = CredentialsGet.params.parse(params);
        this.secretsAsked.push(asked);
        return { value: keys[asked.secret] ?? null };
      });
    }
    if (onEndpoint !== undefined) {
      this.connection.onRequest(EndpointsAllow.method, async (params, token) => ({
        allowed: await onEndpoint(EndpointsAllow.params.parse(params), signalOf(token)),
      }));
    }
    if (onProgram !== undefined) {
      this.connection.onRequest(ProgramsAllow.method, async (params, token) => ({
        allowed: await onProgram(ProgramsAllow.params.parse(params), signalOf(token)),
      }));
    }
    if (onInput !== undefined) {
      this.connection.onRequest(McpInput.method, (params) => ({ value: onInput(McpInput.params.parse(params)) }));
    }
    const signIns = new Map<string, string>();
    this.connection.onRequest(McpSignIn.method, (params) => {
      const { url, value } = McpSignIn.params.parse(params);
      if (value === null) signIns.delete(url);
      else if (value !== undefined) signIns.set(url, value);
      return { value: signIns.get(url) ?? null };
    });
    if (onElicit !== undefined) {
      this.connection.onRequest(McpElicit.method, (params, token) =>
        onElicit(McpElicit.params.parse(params), signalOf(token)),
      );
    }
    if (onToolCall !== undefined) {
      this.connection.onRequest(ToolsCall.method, (params, token) =>
        onToolCall(ToolsCall.params.parse(params), signalOf(token)),
      );
    }
  }
}

function hostCommand({ startedBy = [], heapMegabytes, preload, script = SERVER }: HostOptions): readonly string[] {
  const heap = heapMegabytes === undefined ? [] : [`--max-old-space-size=${heapMegabytes}`];
  const first = preload === undefined ? [] : [`--import=${preload}`];
  return [...startedBy, process.execPath, ...heap, ...first, script];
}

/** Aborted by `$/cancelRequest`. */
function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

function connect(child: ChildProcess, transport: "stdio" | "node-ipc", oneWrite: boolean): MessageConnection {
  if (transport === "node-ipc")
    return createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
  if (child.stdout === null || child.stdin === null) throw new Error("The host has no stdio.");
  // Writing to a killed host would be an uncaught error.
  child.stdin.on("error", () => {});
  // The writer of vscode-jsonrpc writes headers and content apart, which wakes the host twice.
  const writer = oneWrite ? new BatchedWriter(child.stdin) : new StreamMessageWriter(child.stdin);
  return createMessageConnection(new StreamMessageReader(child.stdout), writer);
}

function openText(events: readonly TeamEvent[]): string {
  const open = new Map<string, string>();
  for (const event of events) {
    if (event.type === "message/chunk") open.set(event.messageId, (open.get(event.messageId) ?? "") + event.delta);
    if (event.type === "message/added") open.delete(event.message.id);
  }
  return [...open.values()].join("");
}

/** The error that a request is refused with. @throws when it succeeds. */
export async function refusal(answer: Promise<unknown>): Promise<{ code: number; message: string; data: Refused }> {
  try {
    await answer;
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    return { code: error.code, message: error.message, data: (error.data ?? {}) as Refused };
  }
  throw new Error("The request succeeded, and should have been refused.");
}

export interface Refused {
  readonly code?: string;
  readonly known?: readonly string[];
  readonly problems?: readonly { path: string; message: string; line?: number; column?: number }[];
  readonly [key: string]: unknown;
}
