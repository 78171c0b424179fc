import { createHash } from "node:crypto";

/** What OpenAI takes as the name of a speaker or a tool. */
const LEGAL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** OpenAI refuses a request with a longer tool call id. */
const LONGEST_CALL_ID = 40;

export const isLegalName = (name: string): boolean => LEGAL_NAME.test(name);

/** A tool's name as a model gave it may be anything; sent back as it is, it would have the whole request refused. */
export function legalName(name: string): string {
  if (isLegalName(name)) return name;
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}

/** The id under which a call and its result go to the endpoint: the same for the same ref, always. */
export function callId(ref: string): string {
  return ref.length <= LONGEST_CALL_ID ? ref : createHash("sha1").update(ref).digest("hex");
}
