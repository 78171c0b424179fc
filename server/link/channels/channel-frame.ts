import * as z from "zod";
import { safeParse } from "../../../shared/safe-parse.ts";

/** What one end of a channel sends the other. */
const Header = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("open"), id: z.string().min(1).max(64) }),
  z.strictObject({ kind: z.literal("data"), id: z.string().min(1).max(64) }),
  /** So many bytes more have been read, and may be sent again. */
  z.strictObject({ kind: z.literal("read"), id: z.string().min(1).max(64), bytes: z.number().int().positive() }),
  /** Nothing more is sent. */
  z.strictObject({ kind: z.literal("end"), id: z.string().min(1).max(64) }),
  /** Nothing more is read either. */
  z.strictObject({ kind: z.literal("close"), id: z.string().min(1).max(64) }),
]);
export type ChannelHeader = z.infer<typeof Header>;

const NEWLINE = 10;

/** `body` is that of `data`. */
export const encodeChannelFrame = (header: ChannelHeader, body?: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body ?? Buffer.of()]);

/** Undefined for bytes that are no frame. */
export function decodeChannelFrame(
  frame: Uint8Array,
): { readonly header: ChannelHeader; readonly body: Buffer } | undefined {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  const end = bytes.indexOf(NEWLINE);
  if (end === -1) return undefined;
  try {
    const parsed = safeParse(Header, JSON.parse(bytes.toString("utf8", 0, end)));
    return parsed.success ? { header: parsed.data, body: bytes.subarray(end + 1) } : undefined;
  } catch {
    return undefined;
  }
}
