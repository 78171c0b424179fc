import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { HEAD_BYTES, imageType } from "../../../shared/image-type.ts";

/** The largest image that is sent, in bytes. */
const LARGEST = 20 * 1024 * 1024;

/** Opening a pipe must not wait for its writer. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * A local image file as a data URI. Its type is determined from its content, so that nothing but an image is ever sent.
 *
 * @throws Error whose message is a clause that says why, to be put after a colon.
 */
export async function imageDataUri(fileUri: string): Promise<string> {
  const handle = await open(pathOf(fileUri), FLAGS).catch((error: unknown) => {
    throw new Error(whyUnread(error));
  });
  try {
    const type = await checkedType(handle);
    const bytes = await handle.readFile();
    return `data:${type};base64,${bytes.toString("base64")}`;
  } finally {
    await handle.close();
  }
}

function pathOf(fileUri: string): string {
  const url = URL.parse(fileUri);
  if (url === null) throw new Error("its address is not a file URI");
  // Windows would log on to that machine as the user to read it.
  if (url.hostname !== "") throw new Error("it is on another machine");
  return fileURLToPath(url);
}

async function checkedType(handle: FileHandle): Promise<string> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw new Error("it is not a regular file");
  if (stats.size > LARGEST) throw new Error(`it is larger than ${LARGEST / 1024 / 1024} MB`);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const type = imageType(buffer.subarray(0, bytesRead));
  if (type === undefined) throw new Error("it is not a PNG, JPEG, GIF or WebP image");
  return type;
}

function whyUnread(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown cause";
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  if (code === "EACCES" || code === "EPERM") return "access was denied";
  return `it cannot be read (${code})`;
}
