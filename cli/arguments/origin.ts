import { UsageError } from "./usage-error.ts";

/** The origin of a URL that the user allows. @throws UsageError */
export function originOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url !== undefined && (url.protocol === "https:" || url.protocol === "http:")) return url.origin;
  throw new UsageError(`--allow-origin ${given} is no origin; write it as https://api.example.com.`);
}
