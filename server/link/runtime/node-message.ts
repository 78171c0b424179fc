import * as z from "zod";
import { LIMITS } from "../../../shared/limits.ts";
import { safeParse } from "../../../shared/safe-parse.ts";
import { sizeProblem } from "../../../shared/size-problem.ts";
import { RemoteError } from "./remote-error.ts";

const id = z.number().int().min(1);
const address = z.string().min(1).max(1_000);

/** What the runtimes of two nodes send each other. `id` is that of a message, counted by its sender. */
export const NodeMessage = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("send"), id, to: address, message: z.unknown().optional() }),
  /** The sender interrupts its message: `soft` lets what has started end. `graceMs`: how long the handler may take. */
  z.strictObject({ kind: z.literal("soft"), id }),
  z.strictObject({ kind: z.literal("abort"), id, graceMs: z.number().min(0).optional() }),
  z.strictObject({ kind: z.literal("answer"), id, value: z.unknown().optional() }),
  z.strictObject({ kind: z.literal("failed"), id, error: RemoteError }),
  z.strictObject({ kind: z.literal("publish"), topic: address, message: z.unknown().optional() }),
]);
export type NodeMessage = z.infer<typeof NodeMessage>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const encodeMessage = (message: NodeMessage): Uint8Array => encoder.encode(JSON.stringify(message));

/** Undefined for bytes that are no message, or one that is nested too deep. */
export function decodeMessage(data: Uint8Array): NodeMessage | undefined {
  try {
    const json: unknown = JSON.parse(decoder.decode(data));
    if (sizeProblem(json, { depth: LIMITS.message.depth }) !== undefined) return undefined;
    const parsed = safeParse(NodeMessage, json);
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
