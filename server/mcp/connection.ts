import { Client, type ClientCapabilities, type Progress, SdkHttpError } from "@modelcontextprotocol/client";
import { messageOf } from "../../shared/contract/errors.ts";
import { type Program, plainLine } from "../programs/index.ts";
import { askedByServer, type Elicit } from "./elicitation.ts";
import { httpLink, type Link, orOverSse } from "./http-link.ts";
import { type HttpServer, withHeaders } from "./http-transport.ts";
import { MCP_LIMITS } from "./limits.ts";
import type { ListedTool } from "./listed-tools.ts";
import { OAuthClient } from "./oauth-client.ts";
import { ServerOffers } from "./offers.ts";
import { Questions } from "./questions.ts";
import { schemaValidator } from "./schema-validator.ts";
import { ServerLog } from "./server-log.ts";
import { SignIn } from "./sign-in.ts";
import { StdioTransport } from "./stdio-transport.ts";
import { ToolList } from "./tool-list.ts";
import { resultOutput } from "./tool-result.ts";

export type { ListedTool } from "./listed-tools.ts";

/** A program to start, or a server to connect to. */
export type ServerAddress = { readonly program: Program } | { readonly http: HttpServer };

export interface ConnectionOptions {
  readonly name: string;
  readonly address: ServerAddress;
  /** The folders in which the server may work, as URIs. */
  readonly roots: () => readonly { readonly uri: string; readonly name: string }[];
  /** Asks the user for what the server wants to know. */
  readonly elicit: Elicit;
  /** A line about the server for the log. */
  readonly log: (line: string) => void;
  /** The server's tools are others now. */
  readonly toolsChanged: (tools: readonly ListedTool[]) => void;
  /** The connection has ended by itself; `why` is the rest of a sentence about the server. */
  readonly closed: (why: string) => void;
}

/** How one call is run. */
interface CallOptions {
  readonly signal: AbortSignal;
  /** Gets each report of progress, as a line. */
  readonly progress: (line: string) => void;
}

const CAPABILITIES: ClientCapabilities = {
  roots: { listChanged: true },
  elicitation: { form: { applyDefaults: true }, url: {} },
};

/** A connection to one server, from its start to its end. */
export class McpConnection {
  readonly #client: Client;
  readonly #options: ConnectionOptions;
  readonly #link: Link;
  readonly #questions: Questions;
  /** Its prompts and resources. */
  readonly offers: ServerOffers;
  #tools: readonly ListedTool[] = [];
  /** The last error that the SDK reported. */
  #lastError = "has closed the connection";
  #isClosing = false;

  private constructor(client: Client, options: ConnectionOptions, link: Link, log: ServerLog) {
    this.#client = client;
    this.#options = options;
    this.#link = link;
    this.#questions = new Questions(options.elicit, (line) => log.add(line));
    this.offers = new ServerOffers(client, (signal, send) => this.#request(signal, send));
  }

  /** Starts the server and lists its tools. @throws Error whose message is the rest of a sentence about the server. */
  static async open(options: ConnectionOptions, signal: AbortSignal): Promise<McpConnection> {
    const { address } = options;
    if ("program" in address) {
      const log = new ServerLog(options.log);
      const transport = new StdioTransport(address.program, (line) => log.add(line));
      return McpConnection.#openOver({ transport, isNewest: false, failure: () => transport.failure }, options, signal);
    }
    const { http } = address;
    const client = await OAuthClient.create(http.signIn, (url) => opensSignIn(options, url, signal), http.client);
    const signIn = new SignIn(client, new URL(http.url), withHeaders(http));
    try {
      return await orOverSse(http, (server) => McpConnection.#openAt(server, signIn, options, signal));
    } catch (failed) {
      signIn[Symbol.dispose]();
      throw failed instanceof Error ? new Error(reasonOf(failed)) : failed;
    }
  }

  /** Opens once more after the user has signed in, if the server wants that. */
  static async #openAt(
    server: HttpServer,
    signIn: SignIn,
    options: ConnectionOptions,
    signal: AbortSignal,
  ): Promise<McpConnection> {
    try {
      return await McpConnection.#openOver(httpLink(server, signIn), options, signal);
    } catch (error) {
      if (!(await signIn.resolves(error, signal))) throw error;
      return McpConnection.#openOver(httpLink(server, signIn), options, signal);
    }
  }

  static async #openOver(link: Link, options: ConnectionOptions, signal: AbortSignal): Promise<McpConnection> {
    const log = new ServerLog(options.log);
    const client = new Client(
      { name: "gavel", title: "Gavel", version: "1" },
      {
        capabilities: CAPABILITIES,
        jsonSchemaValidator: schemaValidator,
        // A program may end on a request before `initialize`, and servers over SSE are older than any other.
        versionNegotiation: { mode: link.isNewest ? "auto" : "legacy" },
      },
    );
    const connection = new McpConnection(client, options, link, log);
    const list = new ToolList(client, log, (tools) => {
      connection.#tools = tools;
      options.toolsChanged(tools);
    });
    client.onerror = (error) => {
      connection.#lastError = plainLine(messageOf(error)).slice(0, MCP_LIMITS.logLine);
      log.add(connection.#lastError);
    };
    client.setRequestHandler("roots/list", () => ({ roots: options.roots().map((root) => ({ ...root })) }));
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
      askedByServer(params, connection.#questions.ask, mcpReq.signal),
    );
    client.setNotificationHandler("notifications/message", ({ params }) => {
      const text = typeof params.data === "string" ? params.data : JSON.stringify(params.data);
      log.add(`${params.level}: ${params.logger === undefined ? "" : `${params.logger}: `}${text}`);
    });
    client.setNotificationHandler("notifications/tools/list_changed", () => list.readAgain());
    client.onclose = () => connection.#ended();
    try {
      await client.connect(link.transport, { timeout: MCP_LIMITS.startMs, signal });
      connection.#tools = await list.read(MCP_LIMITS.startMs, signal);
      return connection;
    } catch (error) {
      connection.#isClosing = true;
      const why = link.failure() ?? (link.signIn === undefined ? reasonOf(error) : undefined);
      await client.close().catch(() => undefined);
      await link.transport.close().catch(() => undefined);
      throw why === undefined ? error : new Error(why);
    }
  }

  get tools(): readonly ListedTool[] {
    return this.#tools;
  }

  /** Whether the server has resources to read. */
  get hasResources(): boolean {
    return this.#client.getServerCapabilities()?.resources !== undefined;
  }

  /** The output of a call. @throws Error with the server's own error result, or what went wrong. */
  async callTool(tool: ListedTool, input: unknown, { signal, progress }: CallOptions): Promise<unknown> {
    this.#questions.callBegins();
    let reports = 0;
    const result = await this.#request(signal, () =>
      this.#client.callTool(
        { name: tool.name, arguments: isArguments(input) ? input : {} },
        {
          signal,
          timeout: MCP_LIMITS.callMs,
          resetTimeoutOnProgress: true,
          toolDefinition: tool.definition,
          onprogress: (report) => {
            if (++reports <= MCP_LIMITS.progress) progress(progressLine(report));
          },
        },
      ),
    );
    return resultOutput(result);
  }

  /** The folders in which the server may work have changed. */
  async rootsChanged(): Promise<void> {
    await this.#client.sendRootsListChanged().catch(() => undefined);
  }

  /** Ends the server. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#client.close().catch(() => undefined);
    this.#link.signIn?.[Symbol.dispose]();
  }

  /** Runs a request, and says what happened to the server if that is why it failed. */
  async #request<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
    try {
      return await send().catch(async (error: unknown) => {
        // The server wants the user to sign in again, or for more.
        // Nothing else is sent again: it may have had effects.
        if ((await this.#link.signIn?.resolves(error, signal)) !== true) throw error;
        return send();
      });
    } catch (error) {
      signal.throwIfAborted();
      if (this.#client.transport === undefined) throw new Error(`The server ${this.#options.name} ${this.#why}.`);
      throw new Error(reasonOf(error));
    }
  }

  /** Why the connection has ended, as the rest of a sentence. */
  get #why(): string {
    return this.#link.failure() ?? this.#lastError;
  }

  #ended(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#link.signIn?.[Symbol.dispose]();
    this.#options.closed(this.#why);
  }
}

/** What went wrong, as a short text without control characters. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  if ("code" in error && error.code === "REQUEST_TIMEOUT") return "did not answer in time";
  if (error instanceof SdkHttpError) return statusReason(error);
  return plainLine(error.message).slice(0, 1_000);
}

function statusReason({ status, message }: SdkHttpError): string {
  const said = plainLine(message.replace("Error POSTing to endpoint:", "")).trim();
  return said === "" ? `answered with HTTP ${status}` : `answered with HTTP ${status}: ${said.slice(0, 900)}`;
}

const isArguments = (input: unknown): input is Record<string, unknown> =>
  typeof input === "object" && input !== null && !Array.isArray(input);

function progressLine({ progress, total, message }: Progress): string {
  const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
  const text = message === undefined ? "" : `: ${plainLine(message).slice(0, MCP_LIMITS.logLine)}`;
  return `${count}${text}\n`;
}

/** The address is shown, and opened only if the user wants that. */
async function opensSignIn({ elicit }: ConnectionOptions, url: URL, signal: AbortSignal): Promise<boolean> {
  const message = "You have to sign in to use this server. Gavel continues when you have done that.";
  return (await elicit({ mode: "url", message, url: url.href }, signal)).action === "accept";
}
