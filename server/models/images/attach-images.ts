import { messageOf } from "../../../shared/contract/errors.ts";
import type { ContentPart } from "../../../shared/contract/message.ts";
import type { ContextItem, ModelRequest } from "../../engine/model.ts";
import { imageDataUri } from "./image-file.ts";

/** What an endpoint can be sent as it is. */
const SENT_AS_IT_IS = /^(data|https?):/i;

/**
 * The request with every image in a form that endpoints take: one in a file of this machine is read now, and sent as a data
 * URI. An image that can not be had becomes a sentence that says so, and the talk goes on without it. Never rejects.
 */
export async function withImages(request: ModelRequest): Promise<ModelRequest> {
  if (!request.items.some(needsReading)) return request;
  // A file that stands in the talk more than once is read once.
  const read = new Map<string, Promise<ContentPart>>();
  const attached = (part: ContentPart): ContentPart | Promise<ContentPart> => {
    if (!isToBeRead(part)) return part;
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

const isToBeRead = (part: ContentPart): part is Image => part.type === "image" && !SENT_AS_IT_IS.test(part.uri);

const needsReading = (item: ContextItem): boolean =>
  item.role === "user" && typeof item.content !== "string" && item.content.some(isToBeRead);

async function attach(uri: string): Promise<ContentPart> {
  try {
    if (!/^file:/i.test(uri)) throw new Error("only file, data, http and https addresses can be read");
    return { type: "image", uri: await imageDataUri(uri) };
  } catch (error) {
    return { type: "text", text: `[The image "${nameOf(uri)}" is not attached: ${messageOf(error)}.]` };
  }
}

/** The last piece of an address: where on this machine a file lies is not the endpoint's business. */
function nameOf(uri: string): string {
  const [piece = ""] = uri.split(/[?#]/).slice(0, 1);
  const name = piece.split(/[\\/:]/).findLast((part) => part !== "") ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
