import { ToolsCall } from "../../../shared/contract/client-requests.ts";
import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import { invalidParams, messageOf } from "../../../shared/contract/errors.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { ToolsRegister } from "../../../shared/contract/requests.ts";
import { preparedBy, type Tool, type ToolContext, ToolInterrupt } from "../../engine/index.ts";
import { checkJsonSchema } from "../definition/json-schema-checks.ts";
import { toProblem } from "../definition/validation-problem.ts";
import { type ClientRequests, MalformedAnswer } from "./client-requests.ts";

/** A client that may have tools. */
export interface ToolOwner {
  readonly requests: ClientRequests;
  readonly isConnected: boolean;
}

/** The tools that run in clients: each registers its own, and each call is sent to one as `tools/call`. */
export class ClientTools {
  readonly #now: () => ToolOwner;
  readonly #hostTools: ReadonlySet<string>;
  /** By the names of tools; of each, those who have registered it, the last one at the end. */
  readonly #declarations = new Map<string, Map<ToolOwner, ToolDeclaration>>();

  readonly #changed: () => void;

  /**
   * `now` is the client whose user acts. `hostTools` are the names that a client cannot register; `changed` is called after
   * each registration.
   */
  constructor(now: () => ToolOwner, hostTools: Iterable<string>, changed: () => void = () => {}) {
    this.#now = now;
    this.#changed = changed;
    this.#hostTools = new Set(hostTools);
  }

  /** The client whose user acts. */
  get now(): ToolOwner {
    return this.#now();
  }

  get names(): readonly string[] {
    return [...this.#declarations.keys()];
  }

  /**
   * Adds tools of a client, all or none. A tool replaces the one that it has registered under that name, and one of a client
   * that has gone. @throws GavelError `InvalidParams`.
   */
  register(owner: ToolOwner, tools: readonly ToolDeclaration[]): void {
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
    for (const tool of tools) {
      const registered = [...(this.#declarations.get(tool.name) ?? [])];
      const others = registered.filter(([other]) => other !== owner && other.isConnected);
      this.#declarations.set(tool.name, new Map([...others, [owner, tool]]));
    }
    this.#changed();
  }

  get(name: string): Tool | undefined {
    const owner = this.#ownerOf(name);
    const declaration = owner && this.#declarations.get(name)?.get(owner);
    return declaration === undefined ? undefined : this.toolFor(declaration);
  }

  /**
   * The tool for a declaration of the client or of a team's definition. A definition, which may come from a repository,
   * cannot turn off the approval that the client's own declaration asks for. `owner` is who runs it; left out, a client that
   * has registered it.
   */
  toolFor(declaration: ToolDeclaration, owner?: ToolOwner): Tool {
    const asks = (): boolean =>
      [...(this.#declarations.get(declaration.name)?.values() ?? [])].some(({ approval }) => approval === "ask");
    return {
      get declaration() {
        return asks() ? { ...declaration, approval: "ask" as const } : declaration;
      },
      prepare: preparedBy(declaration),
      run: (input, context) => this.#call(declaration.name, input, context, owner),
    };
  }

  /** Who runs the tool: the client whose user acts, if it has the tool; otherwise the last one that registered it. */
  #ownerOf(name: string): ToolOwner | undefined {
    const owners = [...(this.#declarations.get(name)?.keys() ?? [])];
    const now = this.#now();
    if (owners.includes(now)) return now;
    return owners.findLast(({ isConnected }) => isConnected) ?? owners.at(-1);
  }

  async #call(
    name: string,
    input: unknown,
    context: ToolContext,
    owner = this.#ownerOf(name) ?? this.#now(),
  ): Promise<unknown> {
    const { teamId, participant, ref, metadata, signal } = context;
    const params = { teamId, participant, ref, name, input, metadata: { ...metadata } };
    const answer = await owner.requests.send(ToolsCall, params, signal).catch((error: unknown) => {
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
