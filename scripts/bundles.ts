import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import { root } from "./root.ts";

/** One file (with what goes beside it) that esbuild makes. */
export interface Bundle {
  readonly entry: string;
  readonly output: string;
  /** What the minified file should stay below, in kB of 1000 bytes: design.md's table. */
  readonly aimKb?: number;
  readonly options: BuildOptions;
}

/** The server's bundle is one ES module; the CommonJS packages within it call a `require` that such a module lacks. */
const requireForEsModule = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;

const webview: BuildOptions = {
  platform: "browser",
  target: "es2022",
  // Codicons' font is written beside the style sheet, under its own name.
  loader: { ".ttf": "file" },
  assetNames: "[name]",
};

const extensionHost: BuildOptions = { platform: "node", target: "node22", format: "cjs", external: ["vscode"] };

export const bundles: readonly Bundle[] = [
  { entry: "client/main.ts", output: "dist/client.cjs", aimKb: 500, options: extensionHost },
  {
    entry: "server/main.ts",
    output: "dist/server.js",
    aimKb: 1200,
    options: { platform: "node", target: "node22", format: "esm", banner: { js: requireForEsModule } },
  },
  {
    entry: "client/webview/main.tsx",
    output: "dist/webview/main.js",
    aimKb: 350,
    options: { ...webview, format: "iife", jsx: "automatic", jsxImportSource: "preact" },
  },
  { entry: "client/webview/main.css", output: "dist/webview/main.css", options: webview },
];

/** Whether a bundle's entry has been written; without it there is nothing to build. */
export function isWritten(bundle: Bundle): boolean {
  return existsSync(join(root, bundle.entry));
}

/** What esbuild needs to make a bundle: minified, with a source map beside it. */
export function esbuildOptions({ entry, output, options }: Bundle): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: output,
    bundle: true,
    minify: true,
    sourcemap: true,
    legalComments: "none",
    logLevel: "silent",
    ...options,
  };
}
