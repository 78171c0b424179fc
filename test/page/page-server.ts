import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import { build } from "esbuild";
import { contentSecurityPolicy } from "../../client/common/content-security-policy.ts";
import { bundles, esbuildOptions } from "../../esbuild.mjs";
import { type ThemeName, themeCss, themeNames, themeOf } from "./themes.ts";

const NONCE = "cGFnZS10ZXN0";

const types: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css", ttf: "font/ttf" };

export interface PageServer {
  readonly url: string;
  close(): void;
}

/** The environment variable with the address of the server that the test command started for all test files. */
const SHARED = "GAVEL_TEST_PAGE";

/** The server of the test command; undefined when a test file runs by itself. */
export function sharedPage(): PageServer | undefined {
  const url = process.env[SHARED];
  return url === undefined ? undefined : { url, close: () => {} };
}

/** Serves the page to all test files until it is closed. */
export async function startSharedPage(): Promise<PageServer> {
  const server = await servePage();
  process.env[SHARED] = server.url;
  return server;
}

/**
 * Serves the chat page as VS Code does: the bundles of the real build, under the page's content security policy, in a
 * sandbox that runs scripts and cannot submit forms. `/?theme=dark` is the page.
 */
export async function servePage(): Promise<PageServer> {
  const files = await pageFiles();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://page");
    const name = basename(url.pathname);
    const theme = themeNamed(url.searchParams.get("theme"));
    if (name === "theme.css") response.setHeader("content-type", "text/css").end(themeCss(theme));
    else if (files.has(name)) {
      response.setHeader("content-type", types[name.split(".").at(-1) ?? ""] ?? "").end(files.get(name));
    } else {
      response.setHeader("content-type", "text/html");
      response.setHeader("content-security-policy", "sandbox allow-scripts allow-same-origin").end(html(theme));
    }
  });
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** The contents of each file of the page, by name. */
export async function pageFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = bundles.filter(({ output }) => output.startsWith("dist/webview/"));
  const built = await Promise.all(
    wanted.map((bundle) => build({ ...esbuildOptions(bundle), sourcemap: false, write: false })),
  );
  return new Map(
    built.flatMap(({ outputFiles }) => outputFiles ?? []).map((file) => [basename(file.path), file.contents]),
  );
}

function html(theme: ThemeName): string {
  const policy = contentSecurityPolicy("'self'", NONCE);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="/theme.css?theme=${theme}">
<link rel="stylesheet" href="/main.css">
<title>Gavel</title>
</head>
<body class="${themeOf(theme).bodyClass}">
<div id="app"></div>
<script type="module" nonce="${NONCE}" src="/main.js"></script>
</body>
</html>`;
}

function themeNamed(name: string | null): ThemeName {
  return themeNames.find((theme) => theme === name) ?? "dark";
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
