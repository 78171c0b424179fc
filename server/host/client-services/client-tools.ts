import { ToolsCall } from "../../../shared/contract/client-requests.ts";
import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import { invalidParams, messageOf } from "../../../shared/contract/errors.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { ToolsRegister } from "../../../shared/contract/requests.ts";
import { preparedBy, type Tool, type ToolContext, ToolInterrupt } from "../../engine/index.ts";
import { checkJsonSchema } from "../definition/json-schema-checks.ts";
import { toProblem } from "../definition/validation-problem.ts";
import { type ClientRequests, MalformedAnswer } from "./client-requests.ts";

/** The tools that run in the client: it registers them, and each call is sent to it as `tools/call`. */
export class ClientTools {
  readonly #client: ClientRequests;
  readonly #hostTools: ReadonlySet<string>;
  readonly #declarations = new Map<string, ToolDeclaration>();

  readonly #changed: () => void;

  /** `hostTools` are the names that a client cannot register; `changed` is called after each registration. */
  constructor(client: ClientRequests, hostTools: Iterable<string>, changed: () => void = () => {}) {
    this.#client = client;
    this.#changed = changed;
    this.#hostTools = new Set(hostTools);
  }

  get names(): readonly string[] {
    return [...this.#declarations.keys()];
  }

  /** Adds tools, all or none. A tool replaces one that was registered under its name. @throws GavelError `InvalidParams`. */
  register(tools: readonly ToolDeclaration[]): void {
    const first = new Map<string, number>();
    const problems = tools.flatMap(({ name, inputSchema }, at): Problem[] => {
      const path = `tools[${at}].name`;
      const before = first.get(name);
      if (this.#hostTools.has(name)) return [{ path, message: `"${name}" is a built-in tool; use another name` }];
      if (before !== undefined)
        return [{ path, message: `"${name}" is already the name of tools[${before}]; use another name` }];
      first.set(name, at);
      return checkJsonSchema(inputSchema, ["tools", at, "inputSchema"]).map(toProblem);
    });
    if (problems.length > 0) throw invalidParams(ToolsRegister.method, problems);
    for (const tool of tools) this.#declarations.set(tool.name, tool);
    this.#changed();
  }

  get(name: string): Tool | undefined {
    const declaration = this.#declarations.get(name);
    return declaration === undefined ? undefined : this.toolFor(declaration);
  }

  /**
   * The tool for a declaration of the client or of a team's definition. A definition, which may come from a repository,
   * cannot turn off the approval that the client's own declaration asks for.
   */
  toolFor(declaration: ToolDeclaration): Tool {
    const asks = (): boolean => this.#declarations.get(declaration.name)?.approval === "ask";
    return {
      get declaration() {
        return asks() ? { ...declaration, approval: "ask" as const } : declaration;
      },
      prepare: preparedBy(declaration),
      run: (input, context) => this.#call(declaration.name, input, context),
    };
  }

  async #call(name: string, input: unknown, context: ToolContext): Promise<unknown> {
    const { teamId, participant, ref, metadata, signal } = context;
    const params = { teamId, participant, ref, name, input, metadata: { ...metadata } };
    const answer = await this.#client.send(ToolsCall, params, signal).catch((error: unknown) => {
      throw new Error(failureText(name, error), { cause: error });
    });
    if ("error" in answer) throw new Error(answer.error);
    if ("interrupt" in answer) throw new ToolInterrupt(answer.interrupt);
    return answer.output;
  }
}

/** The longest text of a client's failure that a model is shown, in characters. */
const MAX_FAILURE = 300;

/** One sentence for the model. What a client throws is not written for it: a validator's report or a stack is left out. */
function failureText(name: string, error: unknown): string {
  if (error instanceof MalformedAnswer)
    return `The tool "${name}" may have run, but its client gave a malformed answer, so its result is unknown.`;
  const failed = `The client could not run the tool "${name}"`;
  const text = messageOf(error).trim();
  return text === "" || text.includes("\n") || text.length > MAX_FAILURE ? `${failed}.` : `${failed}: ${text}`;
}
