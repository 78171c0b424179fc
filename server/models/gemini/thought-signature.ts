import * as z from "zod";
import { parseJson } from "../../../shared/parse-json.ts";

const Stored = z.object({ provider: z.literal("gemini"), model: z.string(), signature: z.string() });

/** What is kept with a call. Its signature may be empty: of calls that come together, only the first is signed. */
export const signedBy = (model: string, signature: string): string =>
  JSON.stringify({ provider: "gemini", model, signature });

/** The signature of a call, empty if it has none; undefined for a call of another model, whose signature is refused. */
export function signatureOf(signedThoughts: string | undefined, model: string): string | undefined {
  if (signedThoughts === undefined) return undefined;
  const stored = Stored.safeParse(jsonOrNull(signedThoughts)).data;
  return stored?.model === model ? stored.signature : undefined;
}

function jsonOrNull(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
