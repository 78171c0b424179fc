import type { RequestedCall } from "../calls/call-outcome.ts";
import { handoffReply } from "../context/handoff-message.ts";
import type { Reply } from "../context/reply.ts";
import type { AnsweredCall, ToolStep } from "../context/tool-step.ts";
import type { ToolSpec } from "../model.ts";
import type { BuiltInTools } from "./built-in-tools.ts";

/** Someone whom a participant can hand over to. */
export interface Handoff {
  readonly target: string;
  /** What the model is told of it. */
  readonly description?: string | undefined;
  /** What is said on the handoff. */
  readonly message?: string | undefined;
}

/** The second handoff of one answer, and those after it. */
const ALREADY_HANDED_OVER = "Only one handoff is allowed per response. This handoff was not performed.";

/** The longest name that endpoints take for a tool. */
const MAX_TOOL_NAME_LENGTH = 64;

/** The name of the tool by which a model hands over to `target` (AutoGen's), made legal for the endpoints. */
export function handoffToolName(target: string): string {
  return `transfer_to_${target}`
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, "_")
    .slice(0, MAX_TOOL_NAME_LENGTH);
}

/**
 * A participant's handoffs (AutoGen's Swarm handoffs): each is a tool of its model, and a call of one ends the turn with a
 * HandoffMessage, once the other calls of the answer have their results.
 */
export class HandoffTools implements BuiltInTools {
  readonly specs: readonly ToolSpec[];
  readonly #byTool: ReadonlyMap<string, Handoff>;

  constructor(handoffs: readonly Handoff[]) {
    this.#byTool = namedTools(handoffs);
    this.specs = [...this.#byTool].map(([name, { target, description }]) => ({
      name,
      description: description ?? `Hand off the conversation to ${target}.`,
      inputSchema: { type: "object", properties: {} },
    }));
  }

  owns(tool: string): boolean {
    return this.#byTool.has(tool);
  }

  answer(calls: readonly RequestedCall[]): AnsweredCall[] {
    return calls.map(({ ref, name, input }, at) => {
      const call = { ref, name, input };
      const handoff = this.#byTool.get(name);
      const isFirst = at === 0 && handoff !== undefined;
      return isFirst
        ? { ...call, output: handoffMessage(handoff), isError: false }
        : { ...call, output: ALREADY_HANDED_OVER, isError: true };
    });
  }

  /** The handoff that the last of these steps made, if any, with what the others found out passed on. */
  replyAfter(steps: readonly ToolStep[]): Reply | undefined {
    const made = steps.at(-1)?.calls.find(({ name, isError }) => this.owns(name) && !isError);
    const handoff = made && this.#byTool.get(made.name);
    if (handoff === undefined) return undefined;
    const others = steps.flatMap(({ calls }) => calls.filter(({ name }) => !this.owns(name)));
    return handoffReply(handoff.target, handoffMessage(handoff), others);
  }
}

/** Names that would be the same get a number at their end. */
function namedTools(handoffs: readonly Handoff[]): Map<string, Handoff> {
  const tools = new Map<string, Handoff>();
  for (const handoff of handoffs) {
    const plain = handoffToolName(handoff.target);
    let name = plain;
    for (let count = 2; tools.has(name); count++) {
      const suffix = `_${count}`;
      name = `${plain.slice(0, MAX_TOOL_NAME_LENGTH - suffix.length)}${suffix}`;
    }
    tools.set(name, handoff);
  }
  return tools;
}

/** AutoGen's text where the definition gives none. */
const handoffMessage = ({ target, message }: Handoff): string =>
  message ?? `Transferred to ${target}, adopting the role of ${target} immediately.`;
