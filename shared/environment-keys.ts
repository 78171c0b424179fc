const PREFIX = "GAVEL_KEY_";

/** The usual variable of each provider's own endpoint, which gets no other key. */
const USUAL: Readonly<Record<string, string>> = {
  "https://api.openai.com": "OPENAI_API_KEY",
  "https://api.anthropic.com": "ANTHROPIC_API_KEY",
  "https://generativelanguage.googleapis.com": "GEMINI_API_KEY",
};

/** The usual variables of all providers. */
export const USUAL_KEY_VARIABLES: readonly string[] = Object.values(USUAL);

type Variables = Readonly<Record<string, string | undefined>>;

/** The variable with the key that team files call `secret`: `GAVEL_KEY_MY_PROXY` for `my-proxy`. */
export const keyVariable = (secret: string): string => `${PREFIX}${secret.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;

/** Whether a variable may have a key. */
export const isKeyVariable = (name: string): boolean =>
  name.toUpperCase().startsWith(PREFIX) || USUAL_KEY_VARIABLES.includes(name);

/** The key for an origin, from the environment; null if it has none. */
export function keyFor(secret: string, origin: string, variables: Variables): string | null {
  const usual = Object.hasOwn(USUAL, origin) ? USUAL[origin] : undefined;
  const value = variables[keyVariable(secret)] ?? (usual === undefined ? undefined : variables[usual]);
  return value === undefined || value === "" ? null : value;
}

/** OpenAI's usual key for OpenAI's own endpoint: it is used without a question, as the environment gives it for that. */
export function usualKey(secret: string, origin: string, variables: Variables): string | null {
  if (secret !== "OPENAI_API_KEY" || USUAL[origin] !== secret) return null;
  const value = variables[secret]?.trim() ?? "";
  return value === "" ? null : value;
}
