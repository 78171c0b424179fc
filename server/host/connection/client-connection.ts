import { ErrorCodes, type InitializeParams, type InitializeResult, ResponseError } from "vscode-languageserver/node";
import { invalidParams } from "../../../shared/contract/errors.ts";
import type { User } from "../../../shared/contract/people.ts";
import { TeamWriting } from "../../../shared/contract/presence.ts";
import { InitializationOptions } from "../../../shared/contract/requests.ts";
import { PROTOCOL_VERSION } from "../../../shared/contract/version.ts";
import { safeParse } from "../../../shared/safe-parse.ts";
import type { Client } from "../clients/client.ts";
import { schemaProblems } from "../definition/schema-problems.ts";
import { toProblem } from "../definition/validation-problem.ts";
import type { Host, NewClient } from "../host.ts";
import { bindTeamFileLanguage, TEAM_FILE_CAPABILITIES } from "../language/team-file-language.ts";
import { assertGuestMay } from "../people/guests.ts";
import type { Guest } from "./guest.ts";
import { eventMessage } from "./outlet.ts";
import { OpenRequests } from "./requests/open-requests.ts";
import { bindTeamRequests } from "./requests/team-requests.ts";
import type { Transport } from "./transport.ts";

/** What a connection needs from the process. */
export interface ConnectionOptions {
  /** The host that the client is to use, and the client as it knows it. @throws ResponseError if it cannot. */
  readonly initialize: (
    client: NewClient,
    options: InitializationOptions,
  ) => { readonly host: Host; readonly client: Client };
  /** Lets further clients join, as the client has asked; resolves with whether they can. */
  readonly share: (storagePath: string | undefined) => Promise<boolean>;
  /** The client sends `shutdown`, which is answered after that: the requests that are still open end. */
  readonly shutdown: () => Promise<void>;
  /** Left out for a client of this computer. */
  readonly guest?: Guest | undefined;
}

/** The user if the client gives none. */
const USER: User = { id: "user", name: "user" };

/** The host's side of one connection, from `initialize` to `exit`. */
export class ClientConnection {
  readonly requests = new OpenRequests();
  readonly #transport: Transport;
  readonly #options: ConnectionOptions;
  #joined: { readonly host: Host; readonly client: Client } | undefined;
  #isShutDown = false;

  constructor(transport: Transport, options: ConnectionOptions) {
    this.#transport = transport;
    this.#options = options;
    const { connection, writer } = transport;
    writer.readEvents = async (teamId, after, limit) =>
      (await this.#ready().host.sessions.events(teamId, { after, limit })).events;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => void this.#joined?.client.start());
    connection.onShutdown(async () => {
      this.#isShutDown = true;
      await options.shutdown();
    });
    const bindOptions = {
      connection,
      requests: this.requests,
      reportBug: (message: string): void => connection.console.error(message),
      settled: async (teamId: string): Promise<unknown> => this.#joined?.host.publisher.settled(teamId),
      client: () => this.#ready().client,
      ...(options.guest === undefined ? {} : { admit: assertGuestMay }),
    };
    const host = (): Host => this.#ready().host;
    bindTeamRequests(bindOptions, host);
    connection.onNotification(TeamWriting.method, (params: unknown) => {
      const written = safeParse(TeamWriting.params, params);
      if (!written.success || this.#joined === undefined) return;
      const { teamId, isWriting } = written.data;
      this.#joined.host.presence.writing(teamId, this.#joined.client, isWriting);
    });
    if (options.guest === undefined) {
      bindTeamFileLanguage(
        connection,
        async () => host().definitions.context(),
        (uri, context) => host().definitions.resolverOf(uri, context),
      );
    }
  }

  /** The client, from its `initialize` on. */
  get client(): Client | undefined {
    return this.#joined?.client;
  }

  listen(): void {
    this.#transport.connection.listen();
  }

  #initialize(params: InitializeParams): InitializeResult | Promise<InitializeResult> {
    if (this.#joined !== undefined) throw new ResponseError(ErrorCodes.InvalidRequest, "initialize was already sent.");
    const options = safeParse(InitializationOptions, params.initializationOptions ?? {});
    if (!options.success) throw optionsError(params.initializationOptions, options.error.issues);
    const { connection, writer, sender } = this.#transport;
    // The same object goes to every client, so that it becomes JSON once.
    const tell: NewClient["tell"] = (teamId, event) =>
      void writer.write(eventMessage(teamId, event)).catch(() => undefined);
    const { user: said = USER, clientId: ownId, interruptReceived } = options.data;
    const { guest } = this.#options;
    const user = guest === undefined || guest === "host" ? said : guest.user;
    const client = { user, connection, tell, ownId, interruptReceived };
    this.#joined =
      guest === undefined
        ? this.#options.initialize({ ...client, params }, options.data)
        : this.#options.initialize(
            { ...client, params: asGuest(params), guest: guest === "host" ? guest : "user" },
            {},
          );
    if (sender !== undefined) sender.client = this.#joined.client;
    const { share = false, storagePath } = options.data;
    if (guest !== undefined) return resultOf({ user });
    return share ? this.#options.share(storagePath).then((isShared) => resultOf({ isShared })) : resultOf();
  }

  #ready(): { readonly host: Host; readonly client: Client } {
    if (this.#joined === undefined) throw new ResponseError(ErrorCodes.ServerNotInitialized, "Send initialize first.");
    if (this.#isShutDown) throw new ResponseError(ErrorCodes.InvalidRequest, "The host has shut down; start it again.");
    return this.#joined;
  }
}

/** What a client of another computer says of folders and settings is not about this one. */
const asGuest = ({ processId, clientInfo }: InitializeParams): InitializeParams => ({
  processId,
  ...(clientInfo === undefined ? {} : { clientInfo }),
  rootUri: null,
  workspaceFolders: null,
  capabilities: {},
});

const resultOf = (more: { readonly isShared?: boolean; readonly user?: User } = {}): InitializeResult => ({
  serverInfo: { name: "gavel" },
  capabilities: {
    ...TEAM_FILE_CAPABILITIES,
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    experimental: { gavel: { protocolVersion: PROTOCOL_VERSION, ...more } },
  },
});

function optionsError(given: unknown, issues: Parameters<typeof schemaProblems>[2]): ResponseError<unknown> {
  const problems = schemaProblems(InitializationOptions, given, issues).map((problem) =>
    toProblem({ ...problem, path: ["initializationOptions", ...problem.path] }),
  );
  const error = invalidParams("initialize", problems);
  return new ResponseError(error.rpcCode, error.message, error.data);
}
