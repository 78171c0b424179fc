import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import type { OfferedTool } from "../../../shared/contract/requests/tools.ts";
import { EXTENSION_TOOL } from "../../../shared/extension-tools.ts";
import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import type { Tool, ToolSource } from "../../engine/index.ts";
import { checkJsonSchema } from "../definition/json-schema-checks.ts";
import { toProblem } from "../definition/validation-problem.ts";
import type { HostLog } from "../log/host-log.ts";
import type { ClientTools } from "./client-tools.ts";

/** The longest schema of an input, in characters of its JSON: every request to a model has it. */
const MAX_SCHEMA = 50_000;
/** What models do not accept at the top of a tool's schema. */
const NOT_AT_TOP = ["anyOf", "oneOf", "allOf", "not", "enum"];

/**
 * The tools that extensions of the editor have registered, which the client offers. Teams name them `vscode/NAME`. What they
 * do is not known here, so each call asks the user; the editor's own confirmation comes after that.
 */
export class ExtensionTools {
  readonly #clientTools: ClientTools;
  readonly #log: HostLog;
  readonly #changed: () => void;
  #offered: ReadonlyMap<string, Tool> = new Map();
  #refused: ReadonlyMap<string, string> = new Map();

  /** `changed` is called when other tools are offered. */
  constructor(clientTools: ClientTools, log: HostLog, changed: () => void) {
    this.#clientTools = clientTools;
    this.#log = log;
    this.#changed = changed;
  }

  /** The tools that can be used, as teams name them. */
  get names(): readonly string[] {
    return [...this.#offered.keys()];
  }

  /** Why tools that are offered cannot be used, by their names in teams. */
  get refused(): ReadonlyMap<string, string> {
    return this.#refused;
  }

  /** What a tool says of itself. */
  description(name: string): string | undefined {
    return this.#offered.get(name)?.declaration.description;
  }

  /** Replaces the tools that were offered before. A tool that cannot be used is refused alone, and the log says why. */
  offer(tools: readonly OfferedTool[]): void {
    const offered = new Map<string, Tool>();
    const refused = new Map<string, string>();
    for (const { name: own, description, inputSchema } of tools) {
      const name = `${EXTENSION_TOOL}${own}`;
      const schema = usableSchema(inputSchema);
      if (typeof schema === "string") refused.set(name, schema);
      else offered.set(name, this.#clientTools.toolFor(declarationOf(name, description, schema)));
    }
    for (const [name, why] of refused) {
      if (this.#refused.get(name) !== why) this.#log.warn(`The tool ${name} cannot be used: ${why}.`);
    }
    this.#offered = offered;
    this.#refused = refused;
    this.#changed();
  }

  /** The tool that a name stands for, whenever it is offered. */
  sourceFor(name: string): ToolSource {
    const known = (): readonly Tool[] => {
      const tool = this.#offered.get(name);
      return tool === undefined ? [] : [tool];
    };
    const problem = (): string | undefined => (this.#offered.has(name) ? undefined : this.#problemOf(name));
    return {
      get tools() {
        return known();
      },
      get problem() {
        return problem();
      },
      find: (called) => (called === name ? this.#offered.get(name) : undefined),
      ready: async () => {},
    };
  }

  #problemOf(name: string): string {
    const why = this.#refused.get(name);
    if (why !== undefined) return `The tool ${name} cannot be used: ${why}.`;
    return `The tool ${name} is one of an extension of VS Code, and needs VS Code with this extension.`;
  }
}

const declarationOf = (name: string, description: string, inputSchema: JsonRecord): ToolDeclaration => ({
  name,
  description,
  inputSchema,
  approval: "ask",
});

/** A schema that models accept, or why there is none. */
function usableSchema(schema: unknown): JsonRecord | string {
  if (schema === undefined || schema === null) return { type: "object", properties: {} };
  if (!isRecord(schema)) return "the schema of its input is no map of keys";
  if (JSON.stringify(schema).length > MAX_SCHEMA)
    return `the schema of its input is longer than ${MAX_SCHEMA} characters`;
  if (schema["type"] !== undefined && schema["type"] !== "object") return "its input is no object, which models need";
  const unfit = NOT_AT_TOP.find((keyword) => Object.hasOwn(schema, keyword));
  if (unfit !== undefined) return `the schema of its input has ${unfit} at its top, which models do not accept`;
  const [problem] = checkJsonSchema(schema, []).map(toProblem);
  if (problem === undefined) return { ...schema, type: "object" };
  return `the schema of its input is wrong: ${problem.path === "" ? "" : `${problem.path}: `}${problem.message}`;
}
