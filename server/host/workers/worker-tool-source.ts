import { modelError } from "../../../shared/contract/errors.ts";
import { globMatcher, type Tool, type ToolContext, ToolInterrupt, type ToolSource } from "../../engine/index.ts";
import { declaredTool, unknownTool } from "../mcp/server-tools.ts";
import { errorOf } from "./error-of.ts";
import type { FoundWorker, WorkerFinder } from "./found-worker.ts";

export interface WorkerToolSourceOptions {
  readonly workers: WorkerFinder;
  readonly worker: string;
  /** Tools by their names, a star standing for any characters, or all that a participant at the worker has. */
  readonly wanted: { readonly names: string } | { readonly participant: string };
}

/** What the user knows tools of a worker by: `worker/tool`. */
const nameAtHost = (worker: string, tool: string): string => `${worker}/${tool}`;

/** The tools of a worker, which are known once it is there. Every call asks unless a rule allows it. */
export class WorkerToolSource implements ToolSource {
  readonly #options: WorkerToolSourceOptions;
  #tools: readonly Tool[] = [];
  #problem: string | undefined;
  /** Whether the worker has said what it offers. */
  #isReady = false;

  constructor(options: WorkerToolSourceOptions) {
    this.#options = options;
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  find(name: string): Tool | undefined {
    const known = this.#known(name);
    if (known !== undefined || this.#isReady || !name.startsWith(nameAtHost(this.#options.worker, ""))) return known;
    return unknownTool(
      name,
      (signal) => this.ready(signal),
      () => this.#known(name),
      () => this.#problem,
    );
  }

  async ready(signal: AbortSignal): Promise<void> {
    const { workers, worker } = this.#options;
    try {
      const { offers } = await workers.find(worker, signal);
      const isWanted = this.#wantedOf(offers);
      const tools = offers.tools.filter(({ name }) => isWanted(name));
      this.#tools = tools.map((tool) => this.#tool(tool));
      this.#isReady = true;
      this.#problem = "names" in this.#options.wanted && tools.length === 0 ? this.#missing : undefined;
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }

  get #missing(): string {
    const { worker, wanted } = this.#options;
    return `The worker "${worker}" offers no tool "${"names" in wanted ? wanted.names : "*"}".`;
  }

  #known(name: string): Tool | undefined {
    return this.#tools.find(({ declaration }) => declaration.name === name);
  }

  #wantedOf({ participants, shared }: FoundWorker["offers"]): (tool: string) => boolean {
    const { wanted } = this.#options;
    if ("names" in wanted) {
      const matches = globMatcher(wanted.names);
      return (tool) => shared.includes(tool) && matches(tool);
    }
    const own = participants.find(({ name }) => name === wanted.participant)?.tools ?? [];
    return (tool) => own.includes(tool);
  }

  #tool(declared: FoundWorker["offers"]["tools"][number]): Tool {
    const { workers, worker } = this.#options;
    const tool = declared.name;
    return {
      ...declaredTool({ ...declared, name: nameAtHost(worker, tool) }),
      provider: `worker ${worker}`,
      preview: async (input) => {
        const { link, offers } = await workers.find(worker, new AbortController().signal);
        const shown = await link.preview(offers.node, tool, input);
        return shown.kind === "done" ? shown.value : undefined;
      },
      run: (input, context) => this.#run(tool, input, context),
    };
  }

  async #run(tool: string, input: unknown, context: ToolContext): Promise<unknown> {
    const { workers, worker } = this.#options;
    const { teamId, participant, ref, metadata, signal } = context;
    const { link, offers } = await workers.find(worker, signal);
    if (signal.aborted) throw new DOMException("The call was interrupted before it ran.", "AbortError");
    const end = await link.runTool(offers.node, { tool, input, teamId, participant, ref, metadata }, context);
    if (end.kind === "done") return end.value;
    if (end.kind === "failed") throw errorOf(end.error);
    // What it did there is not known, so it never runs again by itself.
    if (!signal.aborted) throw new ToolInterrupt({ outcome: "unknown" });
    throw modelError(`The worker ${worker} was lost, so what the call did is not known.`, { retryable: false });
  }
}
