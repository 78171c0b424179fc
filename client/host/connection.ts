import type { CancellationToken, Disposable, Event, LanguageModelChat, LogOutputChannel } from "vscode";
import { EventEmitter } from "vscode";
import type { LanguageClient, ServerOptions } from "vscode-languageclient/node";
import * as z from "zod";
import {
  CredentialsGet,
  EndpointsAllow,
  ProgramsAllow,
  StorageStatusNotification,
  TeamEventNotification,
} from "../../shared/contract/client-requests.ts";
import { messageOf } from "../../shared/contract/errors.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { ParamsOf, RequestMessage, ResultOf } from "../../shared/contract/message-type.ts";
import type { InitializationOptions } from "../../shared/contract/requests.ts";
import { DraftPart } from "../../shared/contract/setup.ts";
import type { StorageStatus } from "../../shared/contract/storage.ts";
import type { JoinedHost } from "../../socket/join-host.ts";
import type { Credentials } from "./credentials.ts";
import { registerDocumentRequests } from "./document-requests.ts";
import { hostError } from "./host-errors.ts";
import { registerHostMessages } from "./host-messages.ts";
import { HostPeople } from "./host-people.ts";
import { registerLanguageModels } from "./language-models.ts";
import type { Programs } from "./programs.ts";
import { type ReachedHost, reachedHost } from "./reached-host.ts";
import { redactedLog } from "./redacted-log.ts";
import type { ServerInputs } from "./server-inputs.ts";
import { registerServerQuestions } from "./server-questions.ts";
import { settingsMiddleware } from "./settings.ts";

/** An event of a team, as the host sends it. */
export interface TeamEventMessage {
  readonly teamId: string;
  readonly event: TeamEvent;
}

/** Answers further requests of the host, until it is disposed of. */
export interface HostTools extends Disposable {
  /** Tells the host what has changed, if something has: called before every request to it. */
  update(): Promise<void> | undefined;
}

/** What a connection needs from the extension. */
export interface ConnectionOptions {
  /** The path of dist/server.js. */
  readonly serverModule: string;
  /** The working directory of the host: the extension's folder, so that no file of a workspace is picked up by accident. */
  readonly cwd: string;
  /** The version of this extension. */
  readonly version: string;
  readonly log: LogOutputChannel;
  readonly initialization: InitializationOptions & { readonly storagePath: string };
  /** The documents for which the host offers diagnostics, completion and hover. */
  readonly documents: readonly { readonly scheme: string; readonly pattern: string }[];
  readonly credentials: Pick<Credentials, "answer" | "allows">;
  /** Whether the user lets a host that keeps running use keys after this window has closed. */
  readonly lendsKeys: () => boolean;
  readonly programs: Pick<Programs, "allows">;
  readonly inputs: ServerInputs;
  /** Whether the user lets Gavel use a language model; undefined while VS Code has not asked. */
  readonly mayUseModel: (model: LanguageModelChat) => boolean | undefined;
  readonly answerTools: (client: LanguageClient) => HostTools;
}

/** What a host's answer to `initialize` says of itself. */
const Shared = z.object({ experimental: z.object({ gavel: z.object({ isShared: z.boolean() }) }) });

/**
 * The connection to one host, which this window has started or joined: from {@link AgentHostConnection.start} until `stop`,
 * or until the host hangs up. A restarted host is another connection, which shares no state with this one.
 */
export class AgentHostConnection {
  readonly #client: LanguageClient;
  readonly #models: Disposable;
  readonly #tools: Disposable;
  readonly #log: LogOutputChannel;
  readonly #joined: JoinedHost | undefined;
  readonly host: ReachedHost;
  readonly #events = new EventEmitter<TeamEventMessage>();
  readonly onTeamEvent: Event<TeamEventMessage> = this.#events.event;
  readonly #storage = new EventEmitter<StorageStatus>();
  readonly onStorageStatus: Event<StorageStatus> = this.#storage.event;
  readonly #draftPart = new EventEmitter<ParamsOf<typeof DraftPart>>();
  readonly onDraftPart: Event<ParamsOf<typeof DraftPart>> = this.#draftPart.event;

  /** Who uses the host. */
  readonly people: HostPeople;

  private constructor(
    client: LanguageClient,
    { log, version }: ConnectionOptions,
    joined: JoinedHost | undefined,
    services: { readonly models: Disposable; readonly tools: Disposable },
  ) {
    this.#client = client;
    this.#models = services.models;
    this.#tools = services.tools;
    this.#log = log;
    this.#joined = joined;
    this.host = reachedHost(joined, version);
    this.people = new HostPeople(client);
    client.onNotification(TeamEventNotification.method, (params: unknown) => this.#received(params));
    client.onNotification(StorageStatusNotification.method, (params: unknown) =>
      this.#storage.fire(StorageStatusNotification.params.parse(params)),
    );
    client.onNotification(DraftPart.method, (params: unknown) => this.#draftPart.fire(DraftPart.params.parse(params)));
  }

  /**
   * Starts a host, or uses one that was `joined`; `closed` is called once when it hangs up without `stop`, even while it
   * starts.
   * @throws Error when it cannot be started or does not answer `initialize`.
   */
  static async start(
    options: ConnectionOptions,
    joined: JoinedHost | undefined,
    listen: (connection: AgentHostConnection) => void,
    closed: () => void,
  ) {
    // Loaded on first use, as the library is most of the extension's code and would delay activation.
    const { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, TransportKind } = await import(
      "vscode-languageclient/node"
    );
    // The library would show its own notifications; the callers decide what is shown.
    class QuietClient extends LanguageClient {
      override error(message: string, data?: unknown): void {
        super.error(message, data, false);
      }
    }
    // The library ends a process that it has started, and leaves alone what is behind a stream.
    const serverOptions: ServerOptions =
      joined === undefined
        ? { module: options.serverModule, transport: TransportKind.ipc, options: { cwd: options.cwd } }
        : async () => ({ reader: joined.stream, writer: joined.stream, detached: true });
    const keys = new Set<string>();
    let tools: HostTools | undefined;
    const client = new QuietClient("gavel", "Gavel", serverOptions, {
      documentSelector: [...options.documents],
      outputChannel: redactedLog(options.log, keys),
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: options.initialization,
      middleware: {
        workspace: settingsMiddleware(keys),
        sendRequest: async (type, params, token, next) => {
          const updated = tools?.update();
          if (updated !== undefined) await updated;
          return next(type, params, token);
        },
      },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          closed();
          const message = joined === undefined ? "The agent host has exited." : "The agent host has hung up.";
          return { action: CloseAction.DoNotRestart, message, handled: true };
        },
      },
    });
    client.onRequest(CredentialsGet.method, async (params: unknown): Promise<ResultOf<typeof CredentialsGet>> => {
      const { secret, ...asked } = CredentialsGet.params.parse(params);
      const value = await options.credentials.answer(secret, asked);
      if (value !== null) keys.add(value);
      const lend = value !== null && joined?.keepsRunning === true && options.lendsKeys();
      return lend ? { value, lend } : { value };
    });
    client.onRequest(EndpointsAllow.method, async (params: unknown) => ({
      allowed: await options.credentials.allows(EndpointsAllow.params.parse(params)),
    }));
    client.onRequest(ProgramsAllow.method, async (params: unknown, token: CancellationToken) => ({
      allowed: await options.programs.allows(ProgramsAllow.params.parse(params), token),
    }));
    registerDocumentRequests(client);
    registerServerQuestions(client, options.inputs, keys);
    registerHostMessages(client);
    tools = options.answerTools(client);
    const models = registerLanguageModels(client, options.mayUseModel);
    const connection = new AgentHostConnection(client, options, joined, { models, tools });
    listen(connection);
    try {
      await client.start();
    } catch (error) {
      connection.#release();
      throw error;
    }
    return connection;
  }

  /** Whether other clients can join this host. */
  get isShared(): boolean {
    const said = Shared.safeParse(this.#client.initializeResult?.capabilities);
    return said.success && said.data.experimental.gavel.isShared;
  }

  /**
   * Sends a request and checks the result; `token` cancels it.
   * @throws GavelError for the errors of PROTOCOL.md, "Errors"; HostGoneError when the process ends before it answers.
   */
  async request<P extends z.ZodType, R extends z.ZodType>(
    message: RequestMessage<P, R>,
    params: z.input<P>,
    token?: CancellationToken,
  ): Promise<z.output<R>> {
    const sentAt = performance.now();
    const took = (): string => `after ${Math.round(performance.now() - sentAt)} ms`;
    const { method } = message;
    // With an undefined token, the params would be sent as a list.
    const sent =
      token === undefined
        ? this.#client.sendRequest<unknown>(method, params)
        : this.#client.sendRequest<unknown>(method, params, token);
    const answer: unknown = await sent.catch((thrown: unknown) => {
      const error = hostError(thrown);
      this.#log.debug(`${message.method} failed ${took()}: ${error.message}`);
      throw error;
    });
    this.#log.debug(`${message.method} was answered ${took()}.`);
    const parsed = message.result.safeParse(answer);
    if (parsed.success) return parsed.data;
    this.#log.error(`The result of ${message.method} does not match the protocol: ${parsed.error.message}`);
    throw new Error(`The agent host gave an invalid result for ${message.method}. See the log for details.`);
  }

  /**
   * Shuts down a host that this window has started, which stores its state first; one that does not exit is killed after a
   * while. A host that was joined goes on, without this window.
   */
  async stop(): Promise<void> {
    this.#release();
    await this.#client
      .dispose()
      .catch((error: unknown) => this.#log.warn(`The agent host did not shut down cleanly: ${messageOf(error)}`));
    this.#joined?.stream.destroy();
  }

  #release(): void {
    this.#models.dispose();
    this.#tools.dispose();
    this.#events.dispose();
    this.#storage.dispose();
    this.#draftPart.dispose();
    this.people.dispose();
  }

  #received(params: unknown): void {
    const parsed = TeamEventNotification.params.safeParse(params);
    if (parsed.success) this.#events.fire(parsed.data);
    else this.#log.error(`Skipped an event that does not match the protocol: ${parsed.error.message}`);
  }
}
