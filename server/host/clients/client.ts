import { type Connection, type InitializeParams, MessageType } from "vscode-languageserver/node";
import { CredentialsGet, InterruptReceived } from "../../../shared/contract/client-requests.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { User } from "../../../shared/contract/people.ts";
import type { AskClient } from "../../models/index.ts";
import { clientModels } from "../client-services/client-models.ts";
import { type ClientRequests, clientRequests } from "../client-services/client-requests.ts";
import { EndpointPermissions } from "../client-services/endpoint-permissions.ts";
import { LentKeys } from "../client-services/lent-keys.ts";
import { ProgramPermissions } from "../client-services/program-permissions.ts";
import type { UserConsent } from "../client-services/user-consent.ts";
import { UserSettings } from "../client-services/user-settings.ts";
import { WorkspaceRoots } from "../client-services/workspace-roots.ts";
import { ClientDocuments } from "../edits/client-documents.ts";
import type { Follower } from "../sessions/event-publisher.ts";
import { askedFor } from "./asked-for.ts";

export interface ClientOptions {
  readonly id: string;
  readonly user: User;
  readonly connection: Connection;
  /** Sends it an event of a team. */
  readonly tell: Follower["tell"];
  readonly params: InitializeParams;
  /** For a client of another computer, whose it is: nothing that it names is on this one. */
  readonly guest?: "user" | "host" | undefined;
  /** The id that it gave itself, which it gives again when it returns. */
  readonly ownId?: string | undefined;
  /** Whether it is to be told when an interrupt of its own is received. */
  readonly interruptReceived?: boolean | undefined;
  readonly consent: UserConsent;
  /**
   * Called when `what` of this client is needed, which has gone; `what` is part of a sentence. If a run needs it, the run's
   * signals are aborted before this returns.
   */
  readonly missed: (client: Client, what: string) => void;
}

/** The longest name that is told of a program. */
const PROGRAM_LENGTH = 200;

/** The client has gone, and only it could answer. */
class ClientGone extends Error {
  override readonly name = "ClientGone";
}

/**
 * A client of the host: one connection, from its `initialize` until it closes, and what it supplies: its user's settings,
 * folders, keys, permissions, open documents and models.
 */
export class Client implements Follower {
  readonly id: string;
  readonly user: User;
  readonly guest: ClientOptions["guest"];
  readonly ownId: string | undefined;
  readonly connection: Connection;
  readonly requests: ClientRequests;
  readonly settings: UserSettings;
  readonly roots: WorkspaceRoots;
  readonly documents: ClientDocuments;
  readonly models: AskClient;
  readonly endpoints: EndpointPermissions;
  readonly programs: ProgramPermissions;
  readonly lentKeys = new LentKeys();
  readonly #tell: Follower["tell"];
  readonly #params: InitializeParams;
  readonly #hearsOfInterrupts: boolean;
  #isConnected = true;
  #successor: Client | undefined;

  constructor(options: ClientOptions) {
    const { id, user, guest, ownId, connection, tell, params, consent, missed } = options;
    this.id = id;
    this.user = user;
    this.guest = guest;
    this.#hearsOfInterrupts = options.interruptReceived === true;
    this.ownId = ownId;
    this.connection = connection;
    this.#tell = tell;
    this.#params = params;
    const requests = clientRequests(connection);
    this.requests = {
      send: async (message, sent, signal) => {
        try {
          if (this.#isConnected) return await requests.send(message, sent, signal);
        } catch (error) {
          if (this.#isConnected) throw error;
        }
        const lent = this.#lent(message.method, sent);
        if (lent !== undefined) return message.result.parse({ value: lent, lend: true });
        const what = askedFor(message.method, sent);
        missed(this, what);
        throw new ClientGone(`The client that supplied ${what} has gone.`);
      },
    };
    this.settings = new UserSettings(connection, params.capabilities, () => this.refreshDiagnostics());
    this.roots = new WorkspaceRoots(params);
    this.documents = new ClientDocuments(requests, connection);
    this.models = clientModels(connection, this.requests, consent);
    this.endpoints = new EndpointPermissions(this.requests, consent);
    this.programs = new ProgramPermissions(this.requests, consent);
  }

  /** Whether it is of another computer. */
  get isGuest(): boolean {
    return this.guest !== undefined;
  }

  get needsStored(): boolean {
    return this.guest === "host";
  }

  /** False once its connection has closed: it answers nothing any more. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** The connection with which it has returned, or itself. */
  get latest(): Client {
    return this.#successor?.latest ?? this;
  }

  /** It has returned: `client` answers for it from now on. */
  returned(client: Client): void {
    this.#successor = client;
    client.lentKeys.take(this.lentKeys);
  }

  /** The program that it is, such as "Visual Studio Code 1.99.0". */
  get program(): string {
    const { clientInfo } = this.#params;
    if (clientInfo === undefined) return "a client";
    return `${clientInfo.name} ${clientInfo.version ?? ""}`.slice(0, PROGRAM_LENGTH).trimEnd();
  }

  /** Called after `initialized`, when it answers requests. */
  async start(): Promise<void> {
    if (this.#params.capabilities.workspace?.workspaceFolders) this.roots.follow(this.connection);
    await this.settings.subscribe();
    await this.settings.ready();
  }

  /** Its connection has closed. */
  left(): void {
    this.#isConnected = false;
  }

  tell(teamId: string, event: TeamEvent): void {
    if (this.#isConnected) this.#tell(teamId, event);
  }

  notify(method: string, params: object): void {
    if (this.#isConnected) this.connection.sendNotification(method, params).catch(() => undefined);
  }

  /** What it has interrupted is aborted; that, and the receipt, are told when they are stored. */
  interruptReceived(teamId: string): void {
    if (this.#hearsOfInterrupts) this.notify(InterruptReceived.method, { teamId });
  }

  /** Shows its user a message. */
  warn(message: string): void {
    this.notify("window/showMessage", { type: MessageType.Warning, message });
  }

  /** What a team file may refer to has changed. */
  refreshDiagnostics(): void {
    if (this.#isConnected && this.#params.capabilities.workspace?.diagnostics?.refreshSupport === true)
      void this.connection.languages.diagnostics.refresh().catch(() => undefined);
  }

  /** The key that a request is about, if the client has lent it. */
  #lent(method: string, params: unknown): string | undefined {
    if (method !== CredentialsGet.method) return undefined;
    const { secret, origin } = CredentialsGet.params.parse(params);
    return this.lentKeys.get(secret, origin);
  }
}
