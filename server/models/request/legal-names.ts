/** What OpenAI accepts as the name of a speaker or a tool. */
const LEGAL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

export const isLegalName = (name: string): boolean => LEGAL_NAME.test(name);

/**
 * The name in a form that the API accepts. A model may call a tool by any name, and an illegal one fails the whole
 * request.
 */
export function legalName(name: string): string {
  if (isLegalName(name)) return name;
  return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}
