import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type * as z from "zod";
import { TeamEventNotification } from "../../shared/contract/client-requests.ts";
import { gavelErrorOf } from "../../shared/contract/errors.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { RequestMessage } from "../../shared/contract/message-type.ts";
import type { FolderStore } from "../stores/find-store.ts";
import { VERSION } from "../version.ts";
import { type ClientAnswers, registerAnswers } from "./client-answers.ts";
import { hostEnvironment } from "./keys.ts";

/** How long a host that is told to end may take, in milliseconds: an interrupted tool gets 2 s. */
const MAX_CLOSE_MS = 10_000;
/** How much of what a host wrote before it died is shown. */
const MAX_LAST_WORDS = 2_000;

export interface HostOptions {
  readonly store: FolderStore;
  /** The folder in which teams work. */
  readonly folder: string;
  readonly answers: ClientAnswers;
}

/** The agent host ended before it answered. */
export class HostEndedError extends Error {
  override readonly name = "HostEndedError";
}

/** A process of the agent host, and the requests to it. */
export class HostClient implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #connection: MessageConnection;
  readonly #listeners = new Set<(teamId: string, event: TeamEvent) => void>();
  readonly #exited: Promise<void>;
  #lastWords = "";
  #isClosing = false;

  private constructor(process: ChildProcess, connection: MessageConnection) {
    this.#process = process;
    this.#connection = connection;
    // A process that could not be started never exits.
    const ended = Promise.withResolvers<void>();
    process.once("exit", () => ended.resolve());
    process.once("error", () => ended.resolve());
    this.#exited = ended.promise;
    this.died = ended.promise.then(() => {
      if (this.#isClosing) return new Promise<never>(() => undefined);
      throw this.#endedError();
    });
    this.died.catch(() => undefined);
    process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-MAX_LAST_WORDS);
    });
    connection.onNotification(TeamEventNotification.method, (params: unknown) => {
      const { teamId, event } = TeamEventNotification.params.parse(params);
      for (const listener of this.#listeners) listener(teamId, event);
    });
  }

  /** Starts the host and waits until it is ready. @throws Error when it cannot be started. */
  static async start({ store, folder, answers }: HostOptions): Promise<HostClient> {
    const server = join(import.meta.dirname, "server.js");
    if (!existsSync(server)) throw new HostEndedError(`${server} is missing; build Gavel with "npm run build".`);
    const child = spawn(process.execPath, [server, "--stdio"], {
      stdio: ["pipe", "pipe", "pipe"],
      env: hostEnvironment(process.env),
      // Ctrl+C in a terminal goes to this process alone, which interrupts the team.
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    const { stdin, stdout } = child;
    const connection = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    const client = new HostClient(child, connection);
    // Their ends are told by the process's own.
    stdin.on("error", () => undefined);
    connection.onError(() => undefined);
    connection.onUnhandledNotification(() => undefined);
    registerAnswers(connection, answers);
    connection.listen();
    try {
      await client.#initialize(store, folder);
    } catch (error) {
      await client[Symbol.asyncDispose]();
      throw error;
    }
    return client;
  }

  async #initialize({ storagePath, globalStoragePath }: FolderStore, folder: string): Promise<void> {
    const uri = pathToFileURL(folder).href;
    await this.send("initialize", {
      processId: process.pid,
      clientInfo: { name: "gavel", version: VERSION },
      rootUri: null,
      workspaceFolders: [{ uri, name: uri }],
      capabilities: { workspace: { configuration: true, workspaceFolders: true } },
      initializationOptions: { storagePath, globalStoragePath, user: { id: "user", name: "user" } },
    });
    await this.#connection.sendNotification("initialized", {});
  }

  /** Rejects when the process ends without being told to; never resolves. */
  readonly died: Promise<never>;

  /** Calls `listener` with each event of the teams that are open here; the returned function ends that. */
  onEvent(listener: (teamId: string, event: TeamEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends a request. @throws GavelError as the protocol says, {@link HostEndedError} when the process ends before. */
  async request<P extends z.ZodType, R extends z.ZodType>(
    message: RequestMessage<P, R>,
    params: z.input<P>,
    signal?: AbortSignal,
  ): Promise<z.output<R>> {
    return message.result.parse(await this.send(message.method, params, signal));
  }

  /** As {@link request}, for requests of the Language Server Protocol, whose results are not checked. */
  async send(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const source = new CancellationTokenSource();
    const cancel = (): void => source.cancel();
    signal?.addEventListener("abort", cancel);
    const ended = this.#exited.then(() => {
      throw this.#endedError();
    });
    const answer = this.#connection.sendRequest(method, params, source.token).catch((error: unknown) => {
      throw knownError(error) ?? error;
    });
    try {
      return await Promise.race([answer, ended]);
    } finally {
      // The one that lost the race may still fail.
      void answer.catch(() => undefined);
      void ended.catch(() => undefined);
      signal?.removeEventListener("abort", cancel);
    }
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.#connection.sendNotification(method, params);
  }

  /** Ends the host: what runs is interrupted and stored. Resolves when its process has ended, and ends it if it must. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosing) return this.#exited;
    this.#isClosing = true;
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), MAX_CLOSE_MS);
    try {
      await this.send("shutdown", undefined);
      await this.#connection.sendNotification("exit");
    } catch {
      this.#process.kill("SIGTERM");
    }
    await this.#exited;
    clearTimeout(timer);
    this.#connection.dispose();
  }

  #endedError(): HostEndedError {
    const words = this.#lastWords.trim();
    const last = words === "" ? "" : ` Its last output: ${words}`;
    return new HostEndedError(`The agent host stopped; what it had stored is kept, and --continue goes on.${last}`);
  }
}

function knownError(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  return gavelErrorOf(error.message, "data" in error ? error.data : undefined, { cause: error });
}
