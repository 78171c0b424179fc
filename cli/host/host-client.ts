import { randomUUID } from "node:crypto";
import { pathToFileURL } from "node:url";
import {
  CancellationTokenSource,
  ConnectionError,
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import * as z from "zod";
import { TeamEventNotification } from "../../shared/contract/client-requests.ts";
import { gavelErrorOf } from "../../shared/contract/errors.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { RequestMessage } from "../../shared/contract/message-type.ts";
import type { RemoteAddress } from "../arguments/remote-option.ts";
import type { FolderStore } from "../stores/find-store.ts";
import { VERSION } from "../version.ts";
import { type ClientAnswers, registerAnswers } from "./client-answers.ts";
import { HostEndedError } from "./host-errors.ts";
import type { HostLink } from "./host-link.ts";
import { joinRemote, joinRunningHost } from "./joined-host.ts";
import { linkAddress, storeAddress } from "./keys.ts";
import { startOwnHost } from "./own-host.ts";
import { OWN_USER } from "./own-user.ts";

/** How long a host that is told to end may take, in milliseconds: an interrupted tool gets 2 s. */
const MAX_CLOSE_MS = 10_000;

/** What this process is for a host, also when it joins it again. */
const CLIENT_ID = randomUUID();

/** What `initialize` says of a host that was asked to let others join. */
const Initialized = z.object({
  capabilities: z.object({ experimental: z.object({ gavel: z.object({ isShared: z.boolean().optional() }) }) }),
});

export interface HostOptions {
  readonly store: FolderStore;
  /** The folder in which teams work. */
  readonly folder: string;
  readonly answers: ClientAnswers;
  /** Whether other clients may join a host that this one starts. */
  readonly share: boolean;
  /** The host of another computer that is joined instead. */
  readonly remote: RemoteAddress | undefined;
}

/** A client of an agent host: the one that runs for the storage folder, or else a process of its own. */
export class HostClient implements AsyncDisposable {
  readonly #link: HostLink;
  readonly #connection: MessageConnection;
  readonly #listeners = new Set<(teamId: string, event: TeamEvent) => void>();
  readonly #notified = new Map<string, Set<(params: unknown) => void>>();
  #isShared = false;
  #isClosing = false;

  private constructor(link: HostLink, answers: ClientAnswers) {
    this.#link = link;
    const connection = createMessageConnection(
      new StreamMessageReader(link.input),
      new StreamMessageWriter(link.output),
    );
    this.#connection = connection;
    this.died = link.ended.then(() => {
      if (this.#isClosing) return new Promise<never>(() => undefined);
      throw this.#endedError();
    });
    this.died.catch(() => undefined);
    // Their ends are told by the link's own.
    link.output.on("error", () => undefined);
    connection.onError(() => undefined);
    connection.onUnhandledNotification(() => undefined);
    connection.onNotification(TeamEventNotification.method, (params: unknown) => {
      const { teamId, event } = TeamEventNotification.params.parse(params);
      for (const listener of this.#listeners) listener(teamId, event);
    });
    registerAnswers(connection, answers);
    connection.listen();
  }

  /**
   * Joins the host that runs for the store, or starts one, and waits until it is ready.
   * @throws HostError when it refuses, or cannot be started.
   */
  static async start(options: HostOptions): Promise<HostClient> {
    const joined = await HostClient.join(options);
    if (joined !== undefined) return joined;
    if (options.remote !== undefined)
      throw new HostEndedError("The agent host has ended; ask its user to serve again.");
    const own = await HostClient.#open(startOwnHost(), options);
    if (own.#isShared || !options.share) return own;
    // Another client may have started one at the same time.
    const other = await HostClient.join(options);
    if (other === undefined) return own;
    await own[Symbol.asyncDispose]();
    return other;
  }

  /** Joins the host that runs for the store; undefined if none does. @throws HostError when it refuses. */
  static async join(options: HostOptions): Promise<HostClient | undefined> {
    const { remote, store } = options;
    const link = remote === undefined ? await joinRunningHost(store.storagePath) : await joinRemote(remote);
    if (link === undefined) return undefined;
    try {
      return await HostClient.#open(link, options);
    } catch (error) {
      // It ends just now.
      if (error instanceof HostEndedError) return undefined;
      throw error;
    }
  }

  static async #open(link: HostLink, options: HostOptions): Promise<HostClient> {
    const client = new HostClient(link, options.answers);
    try {
      await client.#initialize(options);
    } catch (error) {
      await client[Symbol.asyncDispose]();
      throw error;
    }
    return client;
  }

  async #initialize({ store, folder, share, remote }: HostOptions): Promise<void> {
    const uri = pathToFileURL(folder).href;
    const { storagePath, globalStoragePath } = store;
    const servers = { store: storeAddress(process.env), link: linkAddress(process.env) };
    const own = this.isJoined ? {} : { globalStoragePath, share, ...servers };
    const here = remote === undefined ? { storagePath, ...own, user: { id: OWN_USER, name: OWN_USER } } : {};
    const answer = await this.send("initialize", {
      processId: process.pid,
      clientInfo: { name: "gavel", version: VERSION },
      rootUri: null,
      workspaceFolders: remote === undefined ? [{ uri, name: uri }] : null,
      capabilities: { workspace: { configuration: true, workspaceFolders: true } },
      initializationOptions: { ...here, clientId: CLIENT_ID },
    });
    this.#isShared = Initialized.parse(answer).capabilities.experimental.gavel.isShared ?? false;
    await this.#connection.sendNotification("initialized", {});
  }

  /** Whether the host is not this command's own, and goes on without it. */
  get isJoined(): boolean {
    return this.#link.isJoined;
  }

  /** The id by which the host knows the user of this command. */
  get user(): string {
    return this.#link.user;
  }

  /** Rejects when the host ends without being told to; never resolves. */
  readonly died: Promise<never>;

  /** Calls `listener` with each event of the teams that are open here; the returned function ends that. */
  onEvent(listener: (teamId: string, event: TeamEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` with each notification of that method; the returned function ends that. */
  onNotification(method: string, listener: (params: unknown) => void): () => void {
    const known = this.#notified.get(method) ?? new Set();
    if (!this.#notified.has(method)) {
      this.#notified.set(method, known);
      this.#connection.onNotification(method, (params: unknown) => {
        for (const told of known) told(params);
      });
    }
    known.add(listener);
    return () => known.delete(listener);
  }

  /** Sends a request. @throws GavelError as the protocol says, {@link HostEndedError} when the host ends before. */
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
    const ended = this.#link.ended.then(() => {
      throw this.#endedError();
    });
    ended.catch(() => undefined);
    const asked = async (): Promise<unknown> => this.#connection.sendRequest(method, params, source.token);
    const answer = asked().catch(async (error: unknown) => {
      // What is sent to a host that has just gone fails before its end is told.
      if (isConnectionError(error)) await ended;
      throw knownError(error) ?? error;
    });
    try {
      return await Promise.race([answer, ended]);
    } finally {
      // The one that lost the race may still fail.
      void answer.catch(() => undefined);
      signal?.removeEventListener("abort", cancel);
    }
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.#connection.sendNotification(method, params);
  }

  /**
   * Ends its own host, in which what runs is interrupted and stored, or leaves the one that it has joined. Resolves when
   * that has happened, and ends it if it must.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosing) return this.#link.ended;
    this.#isClosing = true;
    const timer = setTimeout(() => this.#link.end("SIGKILL"), MAX_CLOSE_MS);
    try {
      await this.send("shutdown", undefined);
      await this.#connection.sendNotification("exit");
    } catch {
      this.#link.end("SIGTERM");
    }
    await this.#link.ended;
    clearTimeout(timer);
    this.#connection.dispose();
  }

  #endedError(): HostEndedError {
    const words = this.#link.lastWords();
    const last = words === "" ? "" : ` Its last output: ${words}`;
    return new HostEndedError(`The agent host stopped; what it had stored is kept, and --continue goes on.${last}`);
  }
}

/** An error of the connection itself, not one that the host has answered with. */
const isConnectionError = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ResponseError && CONNECTION_CODES.includes(error.code));

const CONNECTION_CODES: readonly number[] = [
  ErrorCodes.MessageWriteError,
  ErrorCodes.PendingResponseRejected,
  ErrorCodes.ConnectionInactive,
];

function knownError(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  return gavelErrorOf(error.message, "data" in error ? error.data : undefined, { cause: error });
}
