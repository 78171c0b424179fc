import type { ToolKind } from "@agentclientprotocol/sdk/unstable";
import type { Tool, ToolContext } from "../engine/index.ts";
import {
  AGENT_CALL_KINDS,
  type AgentCallInput,
  agentCallEffects,
  agentToolName,
  isReadOnlyKind,
} from "./agent-call.ts";
import type { AgentServices } from "./agent-services.ts";
import { applied } from "./within-calls.ts";

const DOES: Readonly<Record<ToolKind, string>> = {
  read: "reads files",
  edit: "changes files",
  delete: "deletes files",
  move: "moves files",
  search: "searches",
  execute: "runs a command",
  think: "thinks",
  fetch: "gets something from the network",
  switch_mode: "changes its mode",
  other: "does something else",
};

/**
 * The tools that stand for what an agent does itself, one for each kind. A call of one asks the user, or a rule, whether the
 * agent may; `run` then lets it, and resolves with what it tells of it.
 */
export function agentTools(
  services: AgentServices,
  run: (input: unknown, context: ToolContext) => Promise<string>,
): readonly Tool[] {
  return AGENT_CALL_KINDS.map(
    (kind): Tool => ({
      declaration: {
        name: agentToolName(kind),
        description: `An agent program ${DOES[kind]} by itself.`,
        inputSchema: { type: "object" },
        approval: "ask",
        ...(isReadOnlyKind(kind) ? { readOnly: true as const } : {}),
      },
      async effects(input) {
        const effects = agentCallEffects(kind, input as AgentCallInput);
        if (effects === undefined) return undefined;
        const paths = effects.paths.map(async ({ use, path }) => ({ use, path: await services.realPath(path) }));
        return { ...effects, paths: await Promise.all(paths) };
      },
      preview: (input) => previewOf(services, kind, input as AgentCallInput),
      run,
    }),
  );
}

/** What a call would do to a file, where it says all of that; for a command, that it is not ours. */
async function previewOf(services: AgentServices, kind: ToolKind, { changes = [] }: AgentCallInput): Promise<unknown> {
  const [first] = changes;
  if (kind === "execute") return { sandbox: "off", reason: "the agent runs it itself" };
  if (first === undefined || changes.some(({ path }) => path !== first.path)) return null;
  try {
    const after = applied(changes, await services.textOf(first.path));
    return after === undefined ? null : await services.preview(first.path, after);
  } catch {
    // A file elsewhere has no preview; what would change is in the call's input.
    return null;
  }
}
