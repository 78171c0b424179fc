import { imageDimensionsFromData } from "image-dimensions";
import { type ImageSize, MAX_SENT_IMAGE, sentImageSize } from "../../../common/attachments.ts";

/** An image as it is sent. */
export interface PreparedImage {
  readonly size: ImageSize;
  /** Its new name and content, in base64, where it is another than the file's. */
  readonly content?: { readonly name: string; readonly data: string };
}

/** Why an image cannot be attached, as a sentence. */
export interface ImageProblem {
  readonly problem: string;
}

/** The types that all models take; any other image that the browser can show becomes a PNG. */
const kept: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

const QUALITY = 0.9;

/** The most pixels that are decoded: 400 MB of memory. A small file can have a thousand times as many. */
const MAX_PIXELS = 100_000_000;

/**
 * An image as models take it: scaled down if it is larger than they use, as a JPEG if it has too many bytes, under a name of
 * the type that its content has, which providers compare, and otherwise as it is. Never rejects.
 */
export async function preparedImage(file: Blob, name: string): Promise<PreparedImage | ImageProblem> {
  const damaged = { problem: `"${name}" is damaged, or no image that can be read. Attach another one.` };
  try {
    const head = headOf(new Uint8Array(await file.arrayBuffer()));
    if (head === undefined) return damaged;
    if (head.width * head.height > MAX_PIXELS) return { problem: tooManyPixels(name, head) };
    const image = await createImageBitmap(file);
    try {
      return await preparedFrom(image, file, name, kept[head.type]);
    } finally {
      image.close();
    }
  } catch {
    return damaged;
  }
}

/** @param type of the content, if models take it. */
async function preparedFrom(
  image: ImageBitmap,
  file: Blob,
  name: string,
  type: string | undefined,
): Promise<PreparedImage> {
  const size = sentImageSize(image);
  const isSmall = size.width === image.width && size.height === image.height;
  if (isSmall && type !== undefined && file.size <= MAX_SENT_IMAGE) {
    if (kept[extensionOf(name)] === type) return { size };
    return { size, content: { name: renamed(name, type), data: await base64Of(file) } };
  }
  const scaled = await encoded(image, size, type);
  return { size, content: { name: renamed(name, scaled.type), data: await base64Of(scaled) } };
}

interface Head extends ImageSize {
  /** Such as `png`. */
  readonly type: string;
}

/** What the first bytes of an image say, before anything is decoded. */
function headOf(bytes: Uint8Array): Head | undefined {
  return imageDimensionsFromData(bytes) ?? bitmapHead(bytes);
}

/** Of a Windows bitmap. Its height is negative where its first row is the upper one. */
function bitmapHead(bytes: Uint8Array): Head | undefined {
  if (bytes.length < 26 || bytes[0] !== 0x42 || bytes[1] !== 0x4d) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { type: "bmp", width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
}

function tooManyPixels(name: string, { width, height }: ImageSize): string {
  const pixels = `${width.toLocaleString("en")} × ${height.toLocaleString("en")} pixels`;
  return `"${name}" has ${pixels}, and an image can have at most 100 million. Attach a smaller one.`;
}

/** An animation becomes its first picture. */
async function encoded(image: ImageBitmap, size: ImageSize, type: string | undefined): Promise<Blob> {
  const wanted = type === "image/jpeg" || type === "image/webp" ? type : "image/png";
  const blob = await drawn(image, size, wanted);
  return blob.size > MAX_SENT_IMAGE ? drawn(image, size, "image/jpeg") : blob;
}

async function drawn(image: ImageBitmap, { width, height }: ImageSize, type: string): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("There is no canvas.");
  context.imageSmoothingQuality = "high";
  if (type === "image/jpeg") {
    // What is transparent would be black.
    context.fillStyle = "white";
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(image, 0, 0, width, height);
  return canvas.convertToBlob({ type, quality: QUALITY });
}

const extensionOf = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";

/** The name with the extension of its type, which may be another now. */
function renamed(name: string, type: string): string {
  if (kept[extensionOf(name)] === type) return name;
  return `${name.replace(/\.[a-z0-9]+$/i, "")}.${type === "image/jpeg" ? "jpg" : type.slice("image/".length)}`;
}

/** The bytes of a text in base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** The content of a file in base64. @throws where it cannot be read, such as a folder. */
export async function base64Of(file: Blob): Promise<string> {
  const reader = new FileReader();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
  reader.onerror = () => reject(reader.error ?? new Error("The file cannot be read."));
  reader.readAsDataURL(file);
  return (await promise).split(",")[1] ?? "";
}
