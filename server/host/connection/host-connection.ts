import { type Connection, ErrorCodes, type InitializeResult, ResponseError } from "vscode-languageserver/node";
import { invalidParams } from "../../../shared/contract/errors.ts";
import { InitializationOptions } from "../../../shared/contract/requests.ts";
import { PROTOCOL_VERSION } from "../../../shared/contract/version.ts";
import { safeParse } from "../../../shared/safe-parse.ts";
import { schemaProblems } from "../definition/schema-problems.ts";
import { toProblem } from "../definition/validation-problem.ts";
import { Host } from "../host.ts";
import { bindTeamFileLanguage, TEAM_FILE_CAPABILITIES } from "../language/team-file-language.ts";
import { OpenRequests } from "./open-requests.ts";
import { bindTeamRequests } from "./team-requests.ts";
import type { Transport } from "./transport.ts";

/** The host's side of one connection, from `initialize` to `exit`. */
export class HostConnection implements Disposable {
  readonly #connection: Connection;
  #host: Host | undefined;
  #isShutDown = false;

  /** @param environmentKey the OPENAI_API_KEY of the environment */
  constructor({ connection, writer }: Transport, environmentKey: string | undefined) {
    this.#connection = connection;
    writer.readEvents = async (teamId, after, limit) =>
      (await this.#ready().sessions.events(teamId, { after, limit })).events;
    const requests = new OpenRequests();
    connection.onInitialize((params) => {
      if (this.#host !== undefined) throw new ResponseError(ErrorCodes.InvalidRequest, "initialize was already sent.");
      const options = safeParse(InitializationOptions, params.initializationOptions ?? {});
      if (!options.success) throw optionsError(params.initializationOptions, options.error.issues);
      this.#host = new Host(connection, params, options.data, environmentKey, (teamId, error) =>
        requests.endThoseOf(teamId, error),
      );
      return RESULT;
    });
    connection.onInitialized(() => void this.#host?.start());
    connection.onShutdown(async () => {
      this.#isShutDown = true;
      connection.console.info("Host is shutting down.");
      await this.#host?.sessions.interruptAll("the host is shutting down");
      await this.#host?.commands.endAll();
      // The results of the runs are answered when they are stored.
      await this.#host?.settled();
      await requests.endAll("the host is shutting down");
    });
    const reportBug = (message: string): void => connection.console.error(message);
    const settled = async (teamId: string): Promise<void> => this.#host?.publisher.settled(teamId);
    bindTeamRequests({ connection, requests, reportBug, settled }, () => this.#ready());
    bindTeamFileLanguage(
      connection,
      async () => this.#ready().definitions.context(),
      (uri, context) => this.#ready().definitions.resolverOf(uri, context),
    );
  }

  listen(): void {
    this.#connection.listen();
  }

  /** For the exit of the process: interrupts what runs, as far as possible without waiting, and closes the store. */
  [Symbol.dispose](): void {
    void this.#host?.sessions.interruptAll("the host is exiting");
    this.#host?.[Symbol.dispose]();
    this.#host = undefined;
  }

  #ready(): Host {
    if (this.#host === undefined) throw new ResponseError(ErrorCodes.ServerNotInitialized, "Send initialize first.");
    if (this.#isShutDown) throw new ResponseError(ErrorCodes.InvalidRequest, "The host has shut down; start it again.");
    return this.#host;
  }
}

const RESULT: InitializeResult = {
  serverInfo: { name: "gavel" },
  capabilities: {
    ...TEAM_FILE_CAPABILITIES,
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    experimental: { gavel: { protocolVersion: PROTOCOL_VERSION } },
  },
};

function optionsError(given: unknown, issues: Parameters<typeof schemaProblems>[2]): ResponseError<unknown> {
  const problems = schemaProblems(InitializationOptions, given, issues).map((problem) =>
    toProblem({ ...problem, path: ["initializationOptions", ...problem.path] }),
  );
  const error = invalidParams("initialize", problems);
  return new ResponseError(error.rpcCode, error.message, error.data);
}
