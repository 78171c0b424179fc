import type { RequestedCall } from "../calls/call-outcome.ts";
import { handoffReply } from "../context/handoff-message.ts";
import type { Reply } from "../context/reply.ts";
import type { AnsweredCall, ToolStep } from "../context/tool-step.ts";
import type { ToolSpec } from "../model.ts";
import type { BuiltInTools } from "./built-in-tools.ts";

/** A participant that can be handed off to. */
export interface Handoff {
  readonly target: string;
  /** The description of the handoff tool. */
  readonly description?: string | undefined;
  /** The text of the handoff message. */
  readonly message?: string | undefined;
}

/** The result of further handoffs in the same answer. */
const ALREADY_HANDED_OVER = "Only one handoff is allowed per response. This handoff was not performed.";

/** The maximum length of a tool's name at the endpoints. */
const MAX_TOOL_NAME_LENGTH = 64;

/** The name of the tool that hands off to `target`: AutoGen's, with characters that the endpoints accept. */
export function handoffToolName(target: string): string {
  return `transfer_to_${target}`
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, "_")
    .slice(0, MAX_TOOL_NAME_LENGTH);
}

/**
 * A participant's handoffs (AutoGen's Swarm handoffs). Each is a tool of its model; a call of one ends the turn with a
 * HandoffMessage, after the other calls of the same answer have their results.
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

  /** The handoff made in the last of these steps, if any, with the results of the other calls. */
  replyAfter(steps: readonly ToolStep[]): Reply | undefined {
    const made = steps.at(-1)?.calls.find(({ name, isError }) => this.owns(name) && !isError);
    const handoff = made && this.#byTool.get(made.name);
    if (handoff === undefined) return undefined;
    const others = steps.flatMap(({ calls }) => calls.filter(({ name }) => !this.owns(name)));
    return handoffReply(handoff.target, handoffMessage(handoff), others);
  }
}

/** A name that is already taken gets a number. */
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

/** AutoGen's text by default. */
const handoffMessage = ({ target, message }: Handoff): string =>
  message ?? `Transferred to ${target}, adopting the role of ${target} immediately.`;
