import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { root } from "../../scripts/root.ts";

const Manifest = z.object({
  contributes: z.object({
    configuration: z.object({ properties: z.record(z.string(), z.object({ scope: z.string() })) }),
  }),
});

/** Settings that cannot do harm. */
const HARMLESS = ["gavel.authorMarks", "gavel.trace.server"];

test("a workspace can set neither where messages go nor what commands may do", () => {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const { properties } = manifest.contributes.configuration;
  const open = Object.keys(properties).filter(
    (name) => !["machine", "application"].includes(properties[name]?.scope ?? ""),
  );
  assert.deepEqual(open, HARMLESS);
});
