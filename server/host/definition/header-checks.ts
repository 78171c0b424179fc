import { isSendable, isSetByGavel } from "../../a2a/agent-headers.ts";
import { asRecord } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/** Checks the headers of an agent elsewhere: each can be sent, and is the only one of its name. */
export function checkHeaders(headers: unknown): ValidationProblem[] {
  const names = new Set<string>();
  return Object.entries(asRecord(headers)).flatMap(([name, value]): ValidationProblem[] => {
    const path = ["headers", name];
    const isTwice = names.has(name.toLowerCase());
    names.add(name.toLowerCase());
    if (isSetByGavel(name)) return [{ path, on: "key", message: "is a header that Gavel sets itself; remove it" }];
    if (isTwice)
      return [{ path, on: "key", message: "is there twice, as letter case does not matter in headers; remove one" }];
    if (typeof value !== "string" || isSendable(value)) return [];
    return [{ path, message: "has a line break or another character that no header can have; remove it" }];
  });
}
