import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../../shared/json-record.ts";

/** The version of the package in which this file is bundled, in dist/. */
export function gavelVersion(): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8"));
    return isRecord(manifest) && typeof manifest["version"] === "string" ? manifest["version"] : "unknown";
  } catch {
    return "unknown";
  }
}
