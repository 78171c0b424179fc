import { ToolsCall } from "../../../shared/contract/client-requests.ts";
import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import { invalidParams, messageOf } from "../../../shared/contract/errors.ts";
import { ToolsRegister } from "../../../shared/contract/requests.ts";
import { inputCheck, type Tool, type ToolContext, ToolInterrupt } from "../../engine/index.ts";
import type { ClientRequests } from "./client-requests.ts";

/** The tools that run in the client: it registers them, and each call goes to it as `tools/call` (contract, section 4). */
export class ClientTools {
  readonly #client: ClientRequests;
  readonly #hostTools: ReadonlySet<string>;
  readonly #declarations = new Map<string, ToolDeclaration>();

  /** `hostTools` are names that no client can take. */
  constructor(client: ClientRequests, hostTools: Iterable<string>) {
    this.#client = client;
    this.#hostTools = new Set(hostTools);
  }

  get names(): readonly string[] {
    return [...this.#declarations.keys()];
  }

  /** Adds tools, all or none; one of a name that the client registered before takes its place. @throws GavelError `InvalidParams`. */
  register(tools: readonly ToolDeclaration[]): void {
    const problems = tools.flatMap(({ name }, at) => {
      const path = `tools[${at}].name`;
      if (this.#hostTools.has(name))
        return [{ path, message: `"${name}" is a tool of the host; give it another name` }];
      const before = tools.findIndex((other) => other.name === name);
      return before === at ? [] : [{ path, message: `"${name}" is the name of tools[${before}] already` }];
    });
    if (problems.length > 0) throw invalidParams(ToolsRegister.method, problems);
    for (const tool of tools) this.#declarations.set(tool.name, tool);
  }

  get(name: string): Tool | undefined {
    const declaration = this.#declarations.get(name);
    return declaration === undefined ? undefined : this.toolFor(declaration);
  }

  /**
   * The tool of a declaration, also of one that stands in a team's definition. Such a one can not take back that the client's own
   * asks: a definition comes from a repository.
   */
  toolFor(declaration: ToolDeclaration): Tool {
    const asks = (): boolean => this.#declarations.get(declaration.name)?.approval === "ask";
    return {
      get declaration() {
        return asks() ? { ...declaration, approval: "ask" as const } : declaration;
      },
      check: inputCheck(declaration),
      run: (input, context) => this.#call(declaration.name, input, context),
    };
  }

  async #call(name: string, input: unknown, context: ToolContext): Promise<unknown> {
    const { teamId, participant, ref, metadata, signal } = context;
    const params = { teamId, participant, ref, name, input, metadata: { ...metadata } };
    const answer = await this.#client.send(ToolsCall, params, signal).catch((error: unknown) => {
      throw new Error(`The client could not run the tool "${name}": ${messageOf(error)}`, { cause: error });
    });
    if ("error" in answer) throw new Error(answer.error);
    if ("interrupt" in answer) throw new ToolInterrupt(answer.interrupt);
    return answer.output;
  }
}
