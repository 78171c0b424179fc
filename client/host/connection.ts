import type { Event, LogOutputChannel } from "vscode";
import { EventEmitter } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type * as z from "zod";
import { CredentialsGet, TeamEventNotification } from "../../shared/contract/client-requests.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { RequestMessage } from "../../shared/contract/message-type.ts";
import type { InitializationOptions } from "../../shared/contract/requests.ts";
import { registerDocumentRequests } from "./document-requests.ts";
import { hostError } from "./host-errors.ts";

/** One event of one team, as the host tells it. */
export interface TeamEventMessage {
  readonly teamId: string;
  readonly event: TeamEvent;
}

/** What one life of the host needs from the extension. */
export interface ConnectionOptions {
  /** The path of dist/server.js. */
  readonly serverModule: string;
  /** The folder the host runs in. It is the extension's own, so that nothing in a workspace is found by chance. */
  readonly cwd: string;
  readonly log: LogOutputChannel;
  readonly initialization: InitializationOptions;
  /** The key that the user stored under a name and lets go to an endpoint, or null. */
  readonly credential: (secret: string, endpoint: string | undefined) => Promise<string | null>;
}

/**
 * One life of the host's process: it begins with {@link HostConnection.start} and ends once, by `stop` or by itself. Another
 * life is another connection, so that nothing of the old one's state is carried over.
 */
export class HostConnection {
  readonly #client: LanguageClient;
  readonly #log: LogOutputChannel;
  readonly #events = new EventEmitter<TeamEventMessage>();
  readonly onTeamEvent: Event<TeamEventMessage> = this.#events.event;

  private constructor(client: LanguageClient, log: LogOutputChannel) {
    this.#client = client;
    this.#log = log;
    client.onNotification(TeamEventNotification.method, (params: unknown) => this.#received(params));
  }

  /**
   * Starts the process; `closed` is called once when it ends unasked, also while it starts.
   * @throws when it can not be started or does not answer `initialize`.
   */
  static async start(options: ConnectionOptions, listen: (connection: HostConnection) => void, closed: () => void) {
    // Loaded here, on first use: the library is most of the extension's code, and activation must not wait for it.
    const { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, TransportKind } = await import(
      "vscode-languageclient/node"
    );
    // The library would show notifications of its own; what the user is told is up to those who ask.
    class QuietClient extends LanguageClient {
      override error(message: string, data?: unknown): void {
        super.error(message, data, false);
      }
    }
    const client = new QuietClient(
      "gavel",
      "Gavel",
      { module: options.serverModule, transport: TransportKind.ipc, options: { cwd: options.cwd } },
      {
        documentSelector: [],
        outputChannel: options.log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationOptions: options.initialization,
        initializationFailedHandler: () => false,
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => {
            closed();
            return { action: CloseAction.DoNotRestart, message: "The agent host has ended.", handled: true };
          },
        },
      },
    );
    client.onRequest(CredentialsGet.method, async (params: unknown) => {
      const { secret, endpoint } = CredentialsGet.params.parse(params);
      return { value: await options.credential(secret, endpoint) };
    });
    registerDocumentRequests(client);
    const connection = new HostConnection(client, options.log);
    listen(connection);
    await client.start();
    return connection;
  }

  /**
   * Asks the host, and checks its answer.
   * @throws GavelError as the contract's error table says, HostGoneError when the process ends before it answers.
   */
  async request<P extends z.ZodType, R extends z.ZodType>(
    message: RequestMessage<P, R>,
    params: z.input<P>,
  ): Promise<z.output<R>> {
    const answer: unknown = await this.#client.sendRequest<unknown>(message.method, params).catch((thrown: unknown) => {
      throw hostError(thrown);
    });
    const parsed = message.result.safeParse(answer);
    if (parsed.success) return parsed.data;
    this.#log.error(`${message.method} answered with what the contract does not allow: ${parsed.error.message}`);
    throw new Error(`The agent host's answer to ${message.method} could not be read; see the log for what was wrong.`);
  }

  /** Ends the process in good order: it stores what it has, and goes. A host that does not is killed after a while. */
  async stop(): Promise<void> {
    this.#events.dispose();
    await this.#client
      .dispose()
      .catch((error: unknown) => this.#log.warn(`The agent host did not stop well: ${error}`));
  }

  #received(params: unknown): void {
    const parsed = TeamEventNotification.params.safeParse(params);
    if (parsed.success) this.#events.fire(parsed.data);
    else this.#log.error(`An event that the contract does not allow was passed over: ${parsed.error.message}`);
  }
}
