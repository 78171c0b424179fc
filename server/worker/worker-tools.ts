import type { ToolDeclaration } from "../../shared/contract/definition.ts";
import { SensitiveFiles, type Tool, type ToolContext } from "../engine/index.ts";
import { withRealPath } from "../host/approvals/real-path.ts";
import { sandboxRules } from "../host/approvals/sandbox-rules.ts";
import { FileEditor, Sandbox, SessionFolder, workspaceTools } from "../tools/index.ts";
import { WORKER_TOOLS } from "./tool-names.ts";
import type { WorkerFile } from "./worker-file.ts";

/** The rules of users are applied by their hosts; here nothing more is denied. */
const NOTHING_DENIED = { key: "", isReadDenied: () => false, isWriteDenied: () => false };

/**
 * The tools of a worker. Hosts judge each call by their user's rules; what a call does here is limited to the worker's
 * folder, and secret and protected files are refused whatever a host says.
 */
export class WorkerTools {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #files: SensitiveFiles;
  /** Resolves with why commands would run without a sandbox although the file does not say so, as a sentence. */
  readonly unsafe: () => Promise<string | undefined>;

  constructor({ folder, participants = [], tools = [], commands }: WorkerFile) {
    const roots = [folder];
    const session = new SessionFolder();
    const added = { secretFiles: [], protectedFiles: [] };
    this.#files = new SensitiveFiles({ roots: () => roots.flatMap(withRealPath), added: () => added, ownFolders: [] });
    const workspace = { roots: () => roots, files: this.#files };
    const { sandbox = true, allowedHosts = [], environment = [] } = commands ?? {};
    const commandSandbox = new Sandbox(session);
    const guard = {
      settings: () => ({ sandbox, allowedHosts, environment }),
      sandbox: commandSandbox,
      rules: () => sandboxRules(this.#files, added, NOTHING_DENIED),
      hidden: [],
    };
    const all = workspaceTools(workspace, new FileEditor(workspace, { session }), { guard });
    const names = new Set([...tools, ...participants.flatMap((one) => one.tools ?? [])]);
    this.unsafe = async () => {
      const state = sandbox && this.#tools.has("runCommand") ? await commandSandbox.state() : undefined;
      if (state === undefined || state.available) return undefined;
      return `Commands run without a sandbox here: ${state.reason}. Install one, or add "commands: { sandbox: false }" to the file.`;
    };
    this.#tools = new Map([...all].filter(([name]) => WORKER_TOOLS.includes(name) && names.has(name)));
  }

  get declarations(): readonly ToolDeclaration[] {
    return [...this.#tools.values()].map(({ declaration }) => declaration);
  }

  /** @throws what the tool throws; Error for one that is not offered, or that would use a sensitive file. */
  async run(name: string, given: unknown, context: ToolContext): Promise<unknown> {
    const tool = this.#find(name);
    const input = tool.prepare?.(given) ?? given;
    const effects = await tool.effects?.(input);
    for (const { use, path } of effects?.paths ?? []) {
      const file = this.#files.secretFile(path) ?? (use === "write" ? this.#files.protectedFile(path) : undefined);
      if (file !== undefined) throw new Error(`The worker lets no team ${use} ${path}, as it is a sensitive file.`);
    }
    const leavesOut = async (path: string): Promise<boolean> => this.#files.secretFile(path) !== undefined;
    return tool.run(input, { ...context, effects, leavesOut });
  }

  /** What a call would do, for the user who is asked about it; undefined where the tool does not say. */
  async preview(name: string, given: unknown): Promise<unknown> {
    const tool = this.#find(name);
    return tool.preview?.(tool.prepare?.(given) ?? given);
  }

  #find(name: string): Tool {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new Error(`The worker offers no tool "${name}".`);
    return tool;
  }
}
