import * as z from "zod";
import { safeParse } from "../../../shared/safe-parse.ts";

/** The first line of what one node sends another. */
const Header = z.discriminatedUnion("kind", [
  /**
   * A piece of a message, `n` counting up by one in its stream. `more`: the message goes on in the next piece. `fresh`: the
   * sender does not know yet that the receiver has any piece of the stream.
   */
  z.strictObject({
    kind: z.literal("piece"),
    from: z.string().min(1).max(64),
    stream: z.string().min(1).max(64),
    n: z.number().int().min(0),
    more: z.literal(true).optional(),
    fresh: z.literal(true).optional(),
  }),
  /** All pieces below `next` have been received. `missing`: `next` is missing, as a later one has come. */
  z.strictObject({
    kind: z.literal("got"),
    from: z.string().min(1).max(64),
    stream: z.string().min(1).max(64),
    next: z.number().int().min(0),
    missing: z.literal(true).optional(),
  }),
  /** The receiver does not know the stream: it has given its sender up, or is new. */
  z.strictObject({ kind: z.literal("gone"), from: z.string().min(1).max(64), stream: z.string().min(1).max(64) }),
  /**
   * The sender is there. `answer`: it wants to know the same of the receiver. `stream`: what the receiver has pieces of,
   * unless it has given the sender up.
   */
  z.strictObject({
    kind: z.literal("beat"),
    from: z.string().min(1).max(64),
    answer: z.literal(true).optional(),
    stream: z.string().min(1).max(64).optional(),
  }),
]);

export type Header = z.infer<typeof Header>;

const NEWLINE = 10;
const NO_BYTES = new Uint8Array();
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeFrame(header: Header, body: Uint8Array = NO_BYTES): Uint8Array {
  const head = encoder.encode(`${JSON.stringify(header)}\n`);
  const frame = new Uint8Array(head.length + body.length);
  frame.set(head);
  frame.set(body, head.length);
  return frame;
}

/** Undefined for bytes that are no frame. */
export function decodeFrame(frame: Uint8Array): { readonly header: Header; readonly body: Uint8Array } | undefined {
  const end = frame.indexOf(NEWLINE);
  if (end === -1) return undefined;
  try {
    const parsed = safeParse(Header, JSON.parse(decoder.decode(frame.subarray(0, end))));
    return parsed.success ? { header: parsed.data, body: frame.subarray(end + 1) } : undefined;
  } catch {
    return undefined;
  }
}
