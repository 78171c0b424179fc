import { messageOf } from "../../../shared/contract/errors.ts";
import type { ContentPart } from "../../../shared/contract/message.ts";
import type { ContextItem, ModelRequest } from "../../engine/model.ts";
import { imageDataUri } from "./image-file.ts";

/** Addresses that are sent to the endpoint unchanged. */
const SENT_UNCHANGED = /^(data|https?):/i;

/**
 * The request with every image in a form that endpoints accept: a local file is read now and sent as a data URI. An
 * image that cannot be read is replaced by a sentence that says why. Never rejects.
 */
export async function withImages(request: ModelRequest): Promise<ModelRequest> {
  if (!request.items.some(needsReading)) return request;
  // A file that occurs more than once is read once.
  const read = new Map<string, Promise<ContentPart>>();
  const attached = (part: ContentPart): ContentPart | Promise<ContentPart> => {
    if (!isLocalImage(part)) return part;
    const known = read.get(part.uri) ?? attach(part.uri);
    read.set(part.uri, known);
    return known;
  };
  const items = request.items.map(async (item): Promise<ContextItem> => {
    if (item.role !== "user" || typeof item.content === "string") return item;
    return { ...item, content: await Promise.all(item.content.map(attached)) };
  });
  return { ...request, items: await Promise.all(items) };
}

type Image = Extract<ContentPart, { readonly type: "image" }>;

const isLocalImage = (part: ContentPart): part is Image => part.type === "image" && !SENT_UNCHANGED.test(part.uri);

const needsReading = (item: ContextItem): boolean =>
  item.role === "user" && typeof item.content !== "string" && item.content.some(isLocalImage);

async function attach(uri: string): Promise<ContentPart> {
  try {
    if (!/^file:/i.test(uri)) throw new Error("only file, data, http and https addresses can be read");
    return { type: "image", uri: await imageDataUri(uri) };
  } catch (error) {
    return { type: "text", text: `[The image "${nameOf(uri)}" is not attached: ${messageOf(error)}.]` };
  }
}

/** The last part of an address: the endpoint must not learn local folder names. */
function nameOf(uri: string): string {
  const [piece = ""] = uri.split(/[?#]/).slice(0, 1);
  const name = piece.split(/[\\/:]/).findLast((part) => part !== "") ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
