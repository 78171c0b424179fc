import type { FileHandle } from "node:fs/promises";
import { TextDecoder } from "node:util";

const CHUNK_BYTES = 64 * 1024;
const SNIFFED_BYTES = 8 * 1024;

/**
 * The text of an open file in pieces, without its byte order mark: UTF-16 when the mark says so, else UTF-8, with U+FFFD for
 * invalid bytes.
 * @throws Error when there is a NUL near the start, as in binary files.
 */
export async function* textChunks(
  handle: FileHandle,
  shown: string,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let decoder: TextDecoder | undefined;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    const bytes = buffer.subarray(0, bytesRead);
    decoder ??= new TextDecoder(encodingOf(bytes, shown));
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder?.decode() ?? "";
}

function encodingOf(bytes: Buffer, shown: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) {
    throw new Error(`"${shown}" is a binary file; only text can be read.`);
  }
  return "utf-8";
}
