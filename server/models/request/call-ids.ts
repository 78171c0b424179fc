import { createHash } from "node:crypto";
import type { ContextItem } from "../../engine/model.ts";

/** OpenAI's Chat Completions API refuses a request with a longer tool call id; its Responses API accepts 64 characters. */
const LONGEST_CALL_ID = 40;

/**
 * The ids under which the calls of one request are sent, by ref: the model's own, as some endpoints accept no other form. A
 * model may give the same id again; the later call is sent under its ref, so that each result belongs to one call.
 *
 * @param isLegal whether the endpoint accepts an id
 */
export function callIds(items: readonly ContextItem[], isLegal = isShort): (ref: string) => string {
  const legalId = (id: string): string => (isLegal(id) ? id : createHash("sha1").update(id).digest("hex"));
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  for (const item of items) {
    if (item.role !== "assistant") continue;
    for (const { ref, id = ref } of item.calls) {
      const sent = taken.has(id) ? ref : id;
      ids.set(ref, legalId(sent));
      taken.add(sent);
    }
  }
  return (ref) => ids.get(ref) ?? legalId(ref);
}

const isShort = (id: string): boolean => id !== "" && id.length <= LONGEST_CALL_ID;
