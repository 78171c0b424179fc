import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { bundles, esbuildOptions, FIRST_PAINT_KB, pageSizes } from "../../../esbuild.mjs";
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
    return [...[...files, { output: "dist/gavel.vsix", aimKb: 1000 }].map(rowOf), ...(await pageRows())];
  },
};

async function pageRows(): Promise<Row[]> {
  const page = bundles.filter(({ output }) => output.startsWith("dist/webview/"));
  const built = await Promise.all(page.map((bundle) => build({ ...esbuildOptions(bundle), write: false })));
  const { firstPaint, later } = pageSizes(built.map(({ metafile }) => metafile));
  return [
    { figure: "page at first paint, scripts and styles", aim: `${FIRST_PAINT_KB} kB`, measured: kb(firstPaint) },
    { figure: "page, what it loads when needed", aim: "", measured: kb(later) },
  ];
}

function rowOf({ output, aimKb }: { readonly output: string; readonly aimKb: number }): Row {
  const path = join(root, output);
  const measured = existsSync(path) ? kb(statSync(path).size) : "not built: run npm run package first";
  return { figure: `size of ${output}`, aim: `${aimKb} kB`, measured };
}
