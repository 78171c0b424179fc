import type { Page } from "playwright-core";
import { animatedWebp, type Frame } from "./animated-webp.ts";

/** How good the pictures are, from 0 to 1: letters have no visible shadows. */
const QUALITY = 0.82;

/** A moving picture of a window. Of each frame, only the part that differs from the one before is kept. */
export class Film implements AsyncDisposable {
  readonly #filmed: Page;
  readonly #studio: Page;
  readonly #frames: Frame[] = [];

  private constructor(filmed: Page, studio: Page) {
    this.#filmed = filmed;
    this.#studio = studio;
  }

  static async of(page: Page): Promise<Film> {
    return new Film(page, await page.context().newPage());
  }

  /** Adds the window as it is, to be shown for so many milliseconds. */
  async show(duration: number): Promise<void> {
    const png = (await this.#filmed.screenshot()).toString("base64");
    const part = await this.#studio.evaluate(changedPart, { png, quality: QUALITY });
    const last = this.#frames.at(-1);
    if (part !== undefined) this.#frames.push({ ...part, webp: Buffer.from(part.webp, "base64"), duration });
    else if (last !== undefined)
      this.#frames[this.#frames.length - 1] = { ...last, duration: last.duration + duration };
  }

  /** The film as a WebP file, and how many frames it has. */
  get file(): { readonly webp: Uint8Array; readonly frames: number } {
    const { width, height } = this.#frames[0] ?? { width: 1, height: 1 };
    return { webp: animatedWebp(width, height, this.#frames), frames: this.#frames.length };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#studio.close();
  }
}

/** Runs in a page, which keeps the picture before. Undefined where the two are equal. */
async function changedPart({ png, quality }: { readonly png: string; readonly quality: number }) {
  const kept = window as unknown as { before?: Uint32Array };
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d");
  if (context === null) throw new Error("The browser cannot draw.");
  context.drawImage(bitmap, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let at = 0; at < pixels.length; at++) {
    if (kept.before?.[at] === pixels[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  kept.before = pixels;
  if (right < 0) return undefined;
  const [x, y] = [left - (left % 2), top - (top % 2)];
  const part = new OffscreenCanvas(right - x + 1, bottom - y + 1);
  part.getContext("2d")?.drawImage(bitmap, -x, -y);
  const webp = await part.convertToBlob({ type: "image/webp", quality });
  let text = "";
  for (const byte of new Uint8Array(await webp.arrayBuffer())) text += String.fromCharCode(byte);
  return { x, y, width: part.width, height: part.height, webp: btoa(text) };
}
