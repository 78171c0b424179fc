import { type Client, isSpecType, type Tool as McpTool } from "@modelcontextprotocol/client";
import * as z from "zod";
import { messageOf } from "../../shared/contract/errors.ts";
import { sizeProblem } from "../../shared/size-problem.ts";
import { MCP_LIMITS } from "./limits.ts";
import { type ListedTool, listedTools } from "./listed-tools.ts";
import type { ServerLog } from "./server-log.ts";

/** One tool that is not as the protocol wants it does not take the others away. */
const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** Deep values would overflow the stack of the SDK's own check. */
const isTool = (value: unknown): value is McpTool =>
  sizeProblem(value, { depth: MCP_LIMITS.schemaDepth }) === undefined && isSpecType.Tool(value);

/** The list of a server's tools, read again when the server says that it has changed. */
export class ToolList {
  readonly #client: Client;
  readonly #log: ServerLog;
  readonly #changed: (tools: readonly ListedTool[]) => void;
  #state: "idle" | "reading" | "changed while reading" = "idle";

  constructor(client: Client, log: ServerLog, changed: (tools: readonly ListedTool[]) => void) {
    this.#client = client;
    this.#log = log;
    this.#changed = changed;
  }

  /** @param timeout for all pages, in milliseconds. @throws Error when the server does not list its tools in that time. */
  async read(timeout: number, signal?: AbortSignal): Promise<readonly ListedTool[]> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    const end = performance.now() + timeout;
    const found: McpTool[] = [];
    let others = 0;
    let cursor: string | undefined;
    for (let page = 0; page < MCP_LIMITS.pages && found.length <= MCP_LIMITS.tools; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const options = { timeout: Math.max(1, end - performance.now()), ...(signal === undefined ? {} : { signal }) };
      const { tools, nextCursor } = await this.#client.request({ method: "tools/list", params }, Page, options);
      const legal = tools.filter(isTool);
      found.push(...legal);
      others += tools.length - legal.length;
      if (nextCursor === undefined || nextCursor === cursor) break;
      cursor = nextCursor;
    }
    if (others > 0)
      this.#log.add(
        `${others} of its tools are left out, as their names or schemas are not as the protocol wants them.`,
      );
    return listedTools(found, (line) => this.#log.add(line));
  }

  /** Reads it again: once, however often the server says so meanwhile. */
  async readAgain(): Promise<void> {
    if (this.#state !== "idle") {
      this.#state = "changed while reading";
      return;
    }
    do {
      this.#state = "reading";
      try {
        this.#changed(await this.read(MCP_LIMITS.listMs));
      } catch (error) {
        this.#log.add(`Its tools could not be listed again: ${messageOf(error)}`);
      }
    } while (this.#hasChanged);
    this.#state = "idle";
  }

  get #hasChanged(): boolean {
    return this.#state === "changed while reading";
  }
}
