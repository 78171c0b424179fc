import type { Question } from "../api.ts";
import { withOutputTold } from "../request/output-format.ts";
import type { Fault } from "./failure.ts";

/** How endpoints name the wish for usage when they do not know it. */
const ABOUT_USAGE = /stream_options|include_usage/i;

/** How endpoints name a format that they do not take, or a schema that they can not turn into a grammar. */
const ABOUT_OUTPUT = /format|schema|grammar|structured|guided/i;

/**
 * The question in a form that an endpoint may take which refused it, or undefined when its refusal is about nothing that can
 * be left out. Some compatible endpoints count no tokens of a stream, and some take no schema: that one is told in words.
 */
export function concededTo(fault: Fault, { request, asksUsage }: Question): Question | undefined {
  if (fault.kind !== "refused" || (fault.status !== 400 && fault.status !== 422)) return undefined;
  if (asksUsage && ABOUT_USAGE.test(fault.text)) return { request, asksUsage: false };
  if (request.output !== undefined && ABOUT_OUTPUT.test(fault.text)) {
    return { request: withOutputTold(request), asksUsage };
  }
  return undefined;
}
