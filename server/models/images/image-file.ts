import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { HEAD_BYTES, imageType } from "./image-type.ts";

/** The largest image that is sent, in bytes. */
const LARGEST = 20 * 1024 * 1024;

/** Not to wait for the writer of a pipe. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The image of a file of this machine as a data URI. Its type is told from its content, so that nothing but an image is
 * ever sent.
 *
 * @throws Error with a clause that says why there is none, fit to stand after a colon.
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
  if (url === null) throw new Error("its address is no file URI");
  // Windows would log on to that machine with the user's name to read it.
  if (url.hostname !== "") throw new Error("it is on another machine");
  return fileURLToPath(url);
}

async function checkedType(handle: FileHandle): Promise<string> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw new Error("it is not a plain file");
  if (stats.size > LARGEST) throw new Error(`it is larger than ${LARGEST / 1024 / 1024} MB`);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const type = imageType(buffer.subarray(0, bytesRead));
  if (type === undefined) throw new Error("it is no PNG, JPEG, GIF or WebP image");
  return type;
}

function whyUnread(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown cause";
  if (code === "ENOENT" || code === "ENOTDIR") return "there is no such file";
  if (code === "EACCES" || code === "EPERM") return "it may not be read";
  return `it can not be read (${code})`;
}
