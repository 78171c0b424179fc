import { outputParts, withoutImages } from "../../../shared/tool-output.ts";
import type { ContextItem } from "../../engine/model.ts";
import type { EndpointRequest } from "../api.ts";
import { withOutputInstructions } from "../request/output-format.ts";
import type { Failure } from "./failure.ts";

/** How endpoints refer to the usage option when they do not support it. */
const MENTIONS_USAGE = /stream_options|include_usage/i;

/** How endpoints refer to a format that they do not support, or a schema that they cannot turn into a grammar. */
const MENTIONS_OUTPUT = /format|schema|grammar|structured|guided/i;

/** How endpoints refer to images where their model reads none. The status differs: 400, 404, 422, 500. */
const MENTIONS_IMAGES = /image|vision|multi-?modal/i;

/**
 * The request without the option that the endpoint refused, or undefined when the refusal is about something else. Some
 * compatible endpoints do not report the usage of a stream, and some accept no schema: it is then put into the instructions.
 * A model that reads no images is told so in place of those in results; what the user attached is not left out silently.
 */
export function fallbackFor(failure: Failure, { request, includeUsage }: EndpointRequest): EndpointRequest | undefined {
  if (failure.kind !== "refused") return undefined;
  if (MENTIONS_IMAGES.test(failure.text) && request.items.some(hasResultImages)) {
    return { request: { ...request, items: request.items.map(withoutResultImages) }, includeUsage };
  }
  if (failure.status !== 400 && failure.status !== 422) return undefined;
  if (includeUsage && MENTIONS_USAGE.test(failure.text)) return { request, includeUsage: false };
  if (request.output !== undefined && MENTIONS_OUTPUT.test(failure.text)) {
    return { request: withOutputInstructions(request), includeUsage };
  }
  return undefined;
}

const hasResultImages = (item: ContextItem): boolean => item.role === "tool" && outputParts(item.output) !== undefined;

const withoutResultImages = (item: ContextItem): ContextItem =>
  item.role === "tool" ? { ...item, output: withoutImages(item.output) } : item;
