import type { ChatMessage } from "../../../shared/contract/message.ts";
import { isRecord } from "../../../shared/json-record.ts";
import { outputText } from "../../../shared/tool-output.ts";
import type { Reply } from "./reply.ts";
import type { ToolStep } from "./tool-step.ts";

/** A tool call made before a handoff, as stored in the handoff message's `context`. */
interface PassedCall {
  readonly name: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly isError: boolean;
}

/**
 * The message that hands off to `target` (AutoGen's HandoffMessage), with the turn's calls of other tools in
 * `metadata.context`.
 */
export function handoffReply(target: string, content: string, otherCalls: ToolStep["calls"]): Reply {
  const context = otherCalls.map(({ name, input, output, isError }): PassedCall => ({ name, input, output, isError }));
  return {
    type: "HandoffMessage",
    content,
    metadata: { target, ...(context.length === 0 ? {} : { context }) },
  };
}

/** The target of a handoff; undefined for another message. */
export function handoffTarget({ type, metadata }: Pick<Reply, "type" | "metadata">): string | undefined {
  const target = metadata?.["target"];
  return type === "HandoffMessage" && typeof target === "string" ? target : undefined;
}

/**
 * The text of a handoff for its target, with the tool calls made before it. These are given as text, as they are not the
 * target's own calls. Undefined for other messages and other participants.
 */
export function handoffText(message: ChatMessage, participant: string): string | undefined {
  const { source, content, metadata } = message;
  if (handoffTarget(message) !== participant || typeof content !== "string") return undefined;
  const passed: unknown = metadata?.["context"];
  const calls = Array.isArray(passed) ? passed.filter(isPassedCall) : [];
  if (calls.length === 0) return content;
  return [content, `Tool calls that ${source} made before the handoff:`, ...calls.map(callText)].join("\n\n");
}

function callText({ name, input, output, isError }: PassedCall): string {
  const outcome = isError ? "failed" : "returned";
  return `${name}(${JSON.stringify(input) ?? ""}) ${outcome}:\n${outputText(output)}`;
}

function isPassedCall(value: unknown): value is PassedCall {
  return isRecord(value) && typeof value["name"] === "string";
}
