import type { Readable } from "node:stream";

const HEADERS_END = "\r\n\r\n";

/** A message in LSP framing. */
export function frameOf(message: object): string {
  const json = JSON.stringify({ jsonrpc: "2.0", ...message });
  return `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
}

export interface FrameLimits {
  /** The size of the frame, headers included, in bytes. */
  readonly maxSize: number;
  /** The time until it is complete, in milliseconds. */
  readonly maxMs: number;
}

/**
 * Reads the first message of a stream in LSP framing. What follows it stays in the stream, which is paused then.
 * @returns its JSON value; undefined if the stream ends before, or sends anything else, more, or too slowly.
 */
export async function readFirstFrame(stream: Readable, { maxSize, maxMs }: FrameLimits): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const received: Buffer[] = [];
  const onReadable = (): void => {
    for (let chunk: Buffer | null = stream.read(); chunk !== null; chunk = stream.read()) received.push(chunk);
    const all = Buffer.concat(received);
    const frame = frameIn(all, maxSize);
    if (frame === "incomplete") return;
    // What is put back is told as readable again.
    stream.off("readable", onReadable);
    if (frame !== "wrong" && frame.end < all.length) stream.unshift(all.subarray(frame.end));
    resolve(frame === "wrong" ? undefined : frame.value);
  };
  const onEnd = (): void => resolve(undefined);
  const timer = setTimeout(onEnd, maxMs);
  stream.on("readable", onReadable).once("end", onEnd).once("error", onEnd).once("close", onEnd);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stream.off("readable", onReadable).off("end", onEnd).off("error", onEnd).off("close", onEnd);
  }
}

type Frame = { readonly value: unknown; readonly end: number } | "incomplete" | "wrong";

function frameIn(received: Buffer, maxSize: number): Frame {
  const start = received.indexOf(HEADERS_END);
  if (start === -1) return received.length > maxSize ? "wrong" : "incomplete";
  const length = /^Content-Length: (\d{1,9})$/i.exec(received.toString("latin1", 0, start))?.[1];
  const from = start + HEADERS_END.length;
  const end = from + Number(length);
  if (length === undefined || end > maxSize) return "wrong";
  if (received.length < end) return "incomplete";
  try {
    return { value: JSON.parse(received.toString("utf8", from, end)), end };
  } catch {
    return "wrong";
  }
}
