import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
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
    return [...[...files, { output: "dist/gavel.vsix", aimKb: 3000 }].map(rowOf), startUp(), ...(await pageRows())];
  },
};

/** What is read before the first team is shown, besides the page: the extension, the host and its thread. */
const STARTED = ["dist/client.cjs", "dist/client-gavel.cjs", "dist/server.js", "dist/store-worker.js"];

function startUp(): Row {
  const paths = STARTED.map((output) => join(root, output)).filter((path) => existsSync(path));
  const bytes = paths.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
  return { figure: "extension, host and thread, compressed as in the package", aim: "1000 kB", measured: kb(bytes) };
}

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
