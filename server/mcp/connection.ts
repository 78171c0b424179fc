import {
  Client,
  type ClientCapabilities,
  type Tool as McpTool,
  type Progress,
  type Transport,
} from "@modelcontextprotocol/client";
import { messageOf } from "../../shared/contract/errors.ts";
import { askedByServer, type Elicit } from "./elicitation.ts";
import { type HttpServer, httpTransport } from "./http-transport.ts";
import { MCP_LIMITS } from "./limits.ts";
import { type ListedTool, listedTools } from "./listed-tools.ts";
import { schemaValidator } from "./schema-validator.ts";
import { ServerLog } from "./server-log.ts";
import { plainLine, type ServerProgram } from "./server-process.ts";
import { StdioTransport } from "./stdio-transport.ts";
import { contentsOutput, resultOutput } from "./tool-result.ts";

export type { ListedTool } from "./listed-tools.ts";

/** A program to start, or a server to connect to. */
export type ServerAddress = { readonly program: ServerProgram } | { readonly http: HttpServer };

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

/** How long reading the list of its tools may wait after the server said that it has changed, in milliseconds. */
const LIST_MS = 30_000;
/** Pages of a list that are read. */
const MAX_PAGES = 50;

const CAPABILITIES: ClientCapabilities = {
  roots: { listChanged: true },
  elicitation: { form: { applyDefaults: true }, url: {} },
};

/** A connection to one server, from its start to its end. */
export class McpConnection {
  readonly #client: Client;
  readonly #options: ConnectionOptions;
  readonly #failure: () => string;
  #tools: readonly ListedTool[] = [];
  #isClosing = false;

  private constructor(client: Client, options: ConnectionOptions, failure: () => string) {
    this.#client = client;
    this.#options = options;
    this.#failure = failure;
  }

  /** Starts the server and lists its tools. @throws Error whose message is the rest of a sentence about the server. */
  static async open(options: ConnectionOptions, signal: AbortSignal): Promise<McpConnection> {
    const { address } = options;
    const log = new ServerLog(options.log);
    const isHttp = "http" in address;
    const client = new Client(
      { name: "gavel", title: "Gavel", version: "1" },
      {
        capabilities: CAPABILITIES,
        jsonSchemaValidator: schemaValidator,
        versionNegotiation: { mode: isHttp ? "auto" : "legacy" },
      },
    );
    const problems: string[] = [];
    const program = isHttp ? undefined : new StdioTransport(address.program, (line) => log.add(line));
    const transport: Transport = program ?? httpTransport(isHttp ? address.http : unreachable());
    const failure = (): string => program?.failure ?? problems.at(-1) ?? "has closed the connection";
    const connection = new McpConnection(client, options, failure);
    client.onerror = (error) => {
      const line = plainLine(messageOf(error)).slice(0, MCP_LIMITS.logLine);
      problems.splice(0, problems.length, line);
      log.add(line);
    };
    client.setRequestHandler("roots/list", () => ({ roots: options.roots().map((root) => ({ ...root })) }));
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) =>
      askedByServer(params, options.elicit, mcpReq.signal),
    );
    client.setNotificationHandler("notifications/message", ({ params }) => {
      const text = typeof params.data === "string" ? params.data : JSON.stringify(params.data);
      log.add(`${params.level}: ${params.logger === undefined ? "" : `${params.logger}: `}${text}`);
    });
    client.setNotificationHandler("notifications/tools/list_changed", () => connection.#relist());
    client.onclose = () => connection.#ended();
    try {
      await client.connect(transport, { timeout: MCP_LIMITS.startMs, signal });
      connection.#tools = await connection.#list(MCP_LIMITS.startMs, signal);
      return connection;
    } catch (error) {
      connection.#isClosing = true;
      const why = program?.failure ?? reasonOf(error);
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
      throw new Error(why);
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

  /** The resources that the server lists, as text. */
  async listResources(signal: AbortSignal): Promise<string> {
    const { resources } = await this.#request(signal, () =>
      this.#client.listResources({}, { signal, timeout: LIST_MS }),
    );
    const lines = resources.slice(0, MCP_LIMITS.tools).map(({ uri, name, description, mimeType }) => {
      const about = [mimeType, description].filter((part) => part !== undefined).join(", ");
      return `${uri} (${name})${about === "" ? "" : `: ${about}`}`;
    });
    return lines.length === 0 ? "The server lists no resources." : lines.join("\n");
  }

  async readResource(uri: string, signal: AbortSignal): Promise<unknown> {
    const { contents } = await this.#request(signal, () =>
      this.#client.readResource({ uri }, { signal, timeout: MCP_LIMITS.callMs }),
    );
    return contentsOutput(contents);
  }

  /** The folders in which the server may work have changed. */
  async rootsChanged(): Promise<void> {
    await this.#client.sendRootsListChanged().catch(() => undefined);
  }

  /** Ends the server. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#client.close().catch(() => undefined);
  }

  /** Runs a request, and says what happened to the server if that is why it failed. */
  async #request<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      signal.throwIfAborted();
      if (this.#client.transport === undefined) throw new Error(`The server ${this.#options.name} ${this.#failure()}.`);
      throw new Error(reasonOf(error));
    }
  }

  async #list(timeout: number, signal?: AbortSignal): Promise<readonly ListedTool[]> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    const found: McpTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES && found.length <= MCP_LIMITS.tools; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const { tools, nextCursor } = await this.#client.request(
        { method: "tools/list", params },
        { timeout, ...(signal === undefined ? {} : { signal }) },
      );
      found.push(...tools);
      if (nextCursor === undefined || nextCursor === cursor) break;
      cursor = nextCursor;
    }
    return listedTools(found, this.#options.log);
  }

  async #relist(): Promise<void> {
    try {
      this.#tools = await this.#list(LIST_MS);
      this.#options.toolsChanged(this.#tools);
    } catch (error) {
      this.#options.log(`Its tools could not be listed again: ${messageOf(error)}`);
    }
  }

  #ended(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#options.closed(this.#failure());
  }
}

/** What went wrong, as a short text without control characters. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  if ("code" in error && error.code === "REQUEST_TIMEOUT") return "did not answer in time";
  return plainLine(error.message).slice(0, 1_000);
}

const isArguments = (input: unknown): input is Record<string, unknown> =>
  typeof input === "object" && input !== null && !Array.isArray(input);

function progressLine({ progress, total, message }: Progress): string {
  const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
  const text = message === undefined ? "" : `: ${plainLine(message).slice(0, MCP_LIMITS.logLine)}`;
  return `${count}${text}\n`;
}

function unreachable(): never {
  throw new Error("A server is either a program or at an address.");
}
