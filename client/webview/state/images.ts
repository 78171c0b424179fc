import { signal } from "@preact/signals";
import type { ContentPart } from "../../../shared/contract/message.ts";
import { post } from "./editor-bridge.ts";

type Image = Extract<ContentPart, { type: "image" }>;

/** Data URIs of image types that cannot run anything. */
const DATA_URI = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)[;,]/i;

/** The URI to load each workspace image from, by the message's URI; null for one that cannot be shown. */
const workspaceImages = signal<ReadonlyMap<string, string | null>>(new Map());
const requested = new Set<string>();

/** The URI to load an image from: null while the extension looks it up, undefined when it cannot be shown. */
export function imageSource({ uri }: Image): string | null | undefined {
  if (DATA_URI.test(uri)) return uri;
  if (!uri.startsWith("file:")) return undefined;
  const known = workspaceImages.value.get(uri);
  if (known !== undefined) return known ?? undefined;
  if (!requested.has(uri)) {
    requested.add(uri);
    post({ type: "image", uri });
  }
  return null;
}

export function imageFound(uri: string, source: string | null): void {
  workspaceImages.value = new Map(workspaceImages.value).set(uri, source);
}

/** The name to show for an image: its file's name, else its type. */
export function imageName({ uri, mimeType }: Image): string {
  if (uri.startsWith("data:")) return `Image (${mimeType ?? uri.slice("data:".length).split(/[;,]/)[0] ?? ""})`;
  const name = uri.split(/[?#]/)[0]?.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name) || "Image";
  } catch {
    return name;
  }
}
