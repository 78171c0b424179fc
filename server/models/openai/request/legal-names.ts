import { createHash } from "node:crypto";

/** What OpenAI accepts as the name of a speaker or a tool. */
const LEGAL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** OpenAI refuses a request with a longer tool call id. */
const LONGEST_CALL_ID = 40;

export const isLegalName = (name: string): boolean => LEGAL_NAME.test(name);

/**
 * The name in a form that the API accepts. A model may call a tool by any name, and an illegal one fails the whole
 * request.
 */
export function legalName(name: string): string {
  if (isLegalName(name)) return name;
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}

/** The id under which a call and its result are sent to the endpoint; the same ref always has the same id. */
export function callId(ref: string): string {
  return ref.length <= LONGEST_CALL_ID ? ref : createHash("sha1").update(ref).digest("hex");
}
