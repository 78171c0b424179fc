import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { bundles } from "../../../esbuild.mjs";
import { root } from "../../../scripts/root.ts";
import { kb } from "../statistics.ts";
import { START_AND_SIZE } from "./ready.ts";
import type { Bench, Row } from "./row.ts";

/** The sizes of the minified bundles and the package in dist/. */
export const sizes: Bench = {
  name: "sizes",
  title: START_AND_SIZE,
  async run() {
    const files = bundles.flatMap(({ output, aimKb }) => (aimKb === undefined ? [] : [{ output, aimKb }]));
    return [...files, { output: "dist/gavel.vsix", aimKb: 1000 }].map(rowOf);
  },
};

function rowOf({ output, aimKb }: { readonly output: string; readonly aimKb: number }): Row {
  const path = join(root, output);
  const measured = existsSync(path) ? kb(statSync(path).size) : "not built: run npm run package first";
  return { figure: `size of ${output}`, aim: `${aimKb} kB`, measured };
}
