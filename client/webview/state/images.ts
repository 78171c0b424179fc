import { signal } from "@preact/signals";
import type { ContentPart } from "../../../shared/contract/message.ts";
import { post } from "./editor-bridge.ts";

type Image = Extract<ContentPart, { type: "image" }>;

/** Images whose bytes are in the message, of the types that show nothing but an image. */
const OWN_BYTES = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)[;,]/i;

/** Where the extension lets the page load images of the workspace from; null for one that it does not show. */
const workspaceImages = signal<ReadonlyMap<string, string | null>>(new Map());
const asked = new Set<string>();

/** What an image is loaded from: null while the extension is asked, undefined when it is not to be shown. */
export function imageSource({ uri }: Image): string | null | undefined {
  if (OWN_BYTES.test(uri)) return uri;
  if (!uri.startsWith("file:")) return undefined;
  const known = workspaceImages.value.get(uri);
  if (known !== undefined) return known ?? undefined;
  if (!asked.has(uri)) {
    asked.add(uri);
    post({ type: "image", uri });
  }
  return null;
}

export function imageFound(uri: string, source: string | null): void {
  workspaceImages.value = new Map(workspaceImages.value).set(uri, source);
}

/** What to call an image: its file's name, else its type. */
export function imageName({ uri, mimeType }: Image): string {
  if (uri.startsWith("data:")) return `Image (${mimeType ?? uri.slice("data:".length).split(/[;,]/)[0] ?? ""})`;
  const name = uri.split(/[?#]/)[0]?.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name) || "Image";
  } catch {
    return name;
  }
}
