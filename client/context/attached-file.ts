import { Uri, workspace } from "vscode";
import { plainText } from "../common/plain-text.ts";
import { NotAttachedError, type Refusal } from "./not-attached.ts";

/** The largest text that is attached, in bytes: about 75,000 tokens. */
const MAX_TEXT_BYTES = 256 * 1024;
/** As the host's limit on the images that it reads. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

const imageTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** The MIME type of an image that models accept, by the name of its file; undefined for another file. */
export function imageTypeOf(name: string): string | undefined {
  return imageTypes[/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ""];
}

/** A file's path as users know it: in the workspace, else the whole path. */
export function shownPath(uri: Uri): string {
  return uri.scheme === "untitled" ? uri.path : workspace.asRelativePath(uri);
}

/** A file's text, as its editor shows it, saved or not. @throws Error with a sentence when it cannot be attached. */
export async function readText(uri: Uri, lines?: { readonly start: number; readonly end: number }): Promise<string> {
  const whole = openText(uri) ?? (await savedText(uri, lines !== undefined));
  const text = lines === undefined ? whole : linesOf(whole, lines);
  const size = Buffer.byteLength(text);
  if (size > MAX_TEXT_BYTES) throw tooLarge(uri, size, lines !== undefined);
  return text;
}

/** An image file as a data URI. @throws Error with a sentence. */
export async function readImage(uri: Uri): Promise<string> {
  return `data:${imageTypeOf(uri.path) ?? "image/png"};base64,${await readBase64(uri)}`;
}

/** An image file in base64. @throws Error with a sentence. */
export async function readBase64(uri: Uri): Promise<string> {
  const bytes = await readBytes(uri, MAX_IMAGE_BYTES, (size) => tooLargeImage(uri, size));
  return Buffer.from(bytes).toString("base64");
}

/** @throws Error with a sentence for what is no image that can be attached. */
export async function checkImage(uri: Uri): Promise<void> {
  const { size } = await statOf(uri);
  if (size > MAX_IMAGE_BYTES) throw tooLargeImage(uri, size);
}

function openText(uri: Uri): string | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri.toString())?.getText();
}

/** The text on disk. Of a file of which only some lines are wanted, more is read. */
async function savedText(uri: Uri, partly: boolean): Promise<string> {
  const limit = partly ? 16 * MAX_TEXT_BYTES : MAX_TEXT_BYTES;
  const bytes = await readBytes(uri, limit, (size) => tooLarge(uri, size, partly));
  if (bytes.subarray(0, 8192).includes(0))
    throw refused("binary", uri, `${named(uri)} is neither a text file nor an image.`);
  return workspace.decode(bytes, { uri });
}

async function readBytes(uri: Uri, limit: number, refusal: (size: number) => Error): Promise<Uint8Array> {
  const { size } = await statOf(uri);
  if (size > limit) throw refusal(size);
  return workspace.fs.readFile(uri);
}

async function statOf(uri: Uri): Promise<{ readonly size: number }> {
  let found: { readonly type: number; readonly size: number };
  try {
    found = await workspace.fs.stat(uri);
  } catch {
    throw refused("missing", uri, `${named(uri)} does not exist or cannot be read. Remove it from the message.`);
  }
  // A folder that a link leads to has both bits.
  if ((found.type & 2) !== 0)
    throw refused(
      "folder",
      uri,
      `${named(uri)} is a folder. Attach files, or name it in the message: participants can list it.`,
    );
  return found;
}

function linesOf(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return text
    .split(/\r?\n/)
    .slice(start - 1, end)
    .join("\n");
}

const refused = (refusal: Refusal, uri: Uri, message: string): Error =>
  new NotAttachedError(refusal, named(uri), message);

const named = (uri: Uri): string => `"${plainText(shownPath(uri))}"`;

function tooLarge(uri: Uri, size: number, isPart: boolean): Error {
  const what = isPart ? "The selected text of " : "";
  const instead = isPart ? "Select less of it" : "Attach a selection of it";
  return refused(
    "tooLarge",
    uri,
    `${what}${named(uri)} has ${sizeText(size)}, and at most 256 KB can be attached. ${instead}, or name the file in the message: participants can read it in parts.`,
  );
}

const tooLargeImage = (uri: Uri, size: number): Error =>
  refused(
    "imageTooLarge",
    uri,
    `${named(uri)} has ${sizeText(size)}, and an image can have at most 20 MB. Attach a smaller one.`,
  );

const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** The file of a URI that the page was given by a drag, in a remote window by VS Code's own name for the machine. */
export function droppedUri(text: string): Uri {
  const uri = Uri.parse(text, true);
  return uri.scheme === "vscode-remote" ? Uri.file(uri.path) : uri;
}
