import { messageOf } from "../../shared/contract/errors.ts";
import type { Tool, ToolContext } from "../engine/index.ts";
import type { AgentCallInput, ProposedDiff } from "./agent-call.ts";
import { agentCallInput } from "./agent-call.ts";
import type { AgentServices } from "./agent-services.ts";
import type { FileRequest } from "./inbox.ts";
import type { LiveCall } from "./live-call.ts";

interface Caller {
  readonly teamId: string;
  readonly participant: string;
  readonly services: AgentServices;
  readonly signal: AbortSignal;
}

/**
 * Carries out a request of a file that is a part of one of these calls, which the user sees already; returns false for
 * one that needs a call of its own. A file is written as a part of a call that was allowed with exactly this change; it
 * is read as a part of any call for this file, if the user's rules let files be read without asking.
 */
export async function useWithinCalls(
  caller: Caller,
  request: FileRequest,
  calls: readonly LiveCall[],
): Promise<boolean> {
  const { services } = caller;
  const tool = request.tool === "readFile" ? services.readFile : services.writeFile;
  try {
    const input = tool.prepare?.(request.input) ?? request.input;
    const effects = await tool.effects?.(input);
    const [path] = effects?.paths ?? [];
    if (effects === undefined || path === undefined) return false;
    const using = (call: LiveCall): boolean =>
      agentCallInput(call.state, "/").paths?.includes(request.input.path) === true;
    const context =
      request.tool === "readFile"
        ? await readContext(caller, tool, input, effects, calls.some(using))
        : await writeContext(services, request, path.path, calls);
    if (context === undefined) return false;
    request.resolve(await tool.run(input, context));
    return true;
  } catch (error) {
    if (caller.signal.aborted) {
      request.reject(new Error(messageOf(error)));
      return true;
    }
    // A call of its own says what is wrong.
    return false;
  }
}

async function readContext(
  { teamId, participant, services, signal }: Caller,
  { declaration }: Tool,
  input: unknown,
  effects: NonNullable<ToolContext["effects"]>,
  isUsed: boolean,
): Promise<ToolContext | undefined> {
  if (!isUsed) return undefined;
  const { decision } = await services.judge({ tool: declaration, participant, input, effects, teamId });
  if (decision !== "allow") return undefined;
  return { teamId, participant, ref: "", signal, metadata: {}, effects, output: () => {} };
}

/** The context of the call that was allowed with this change. */
async function writeContext(
  services: AgentServices,
  { input: { path, content } }: FileRequest,
  place: string,
  calls: readonly LiveCall[],
): Promise<ToolContext | undefined> {
  for (const { allowed, requested } of calls) {
    if (allowed === undefined || requested === undefined) continue;
    const isPlace = allowed.effects?.paths.some((one) => one.use === "write" && one.path === place) === true;
    const { changes = [] } = requested.input as AgentCallInput;
    const own = changes.filter((change) => change.path === path);
    if (!isPlace || own.length === 0 || typeof content !== "string") continue;
    const before = await services.textOf(path);
    if (own.some(({ newText }) => newText === content) || applied(own, before) === content) return allowed;
  }
  return undefined;
}

/** The text after these changes; undefined where one does not apply. */
export function applied(changes: readonly ProposedDiff[], text: string | null): string | undefined {
  let now: string | undefined = text ?? "";
  for (const { oldText, newText } of changes) {
    if (now === undefined) return undefined;
    if (oldText === undefined || oldText === now) now = newText;
    else now = now.includes(oldText) && oldText !== "" ? now.split(oldText).join(newText) : undefined;
  }
  return now;
}
