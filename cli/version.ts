import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const Manifest = z.object({ version: z.string() });

/** Of the package in which this file is bundled, in dist/. */
export const VERSION: string = Manifest.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8")),
).version;
