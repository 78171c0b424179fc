// What is bundled, from what, for what. `node esbuild.mjs` builds everything into dist/; `--watch` rebuilds on every change.
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, context, formatMessages } from "esbuild";

/**
 * One bundle: what esbuild reads, what it writes, and for which platform.
 * @typedef {object} Bundle
 * @property {string} entry
 * @property {string} output
 * @property {number} [aimKb] the size that the minified file should stay below, in kB of 1000 bytes
 * @property {boolean} [isLimited] whether a larger file fails the build
 * @property {import("esbuild").BuildOptions} options
 */

const root = dirname(fileURLToPath(import.meta.url));

/** The server is one ES module; the CommonJS packages in it call a `require` that ES modules do not have. */
const requireForEsModule = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;

/**
 * The page runs in VS Code's webview. Codicons' font is written beside the style sheet under its own name.
 * @type {import("esbuild").BuildOptions}
 */
const webview = { platform: "browser", target: "es2022", loader: { ".ttf": "file" }, assetNames: "[name]" };

/** @type {import("esbuild").BuildOptions} */
const hostProcess = { platform: "node", target: "node22", format: "esm", banner: { js: requireForEsModule } };

/**
 * The JSON Schema of team files is read from its own file when the first team file is edited.
 * @type {import("esbuild").Plugin}
 */
const teamFileSchema = {
  name: "team-file-schema",
  setup(hooks) {
    hooks.onResolve({ filter: /\/team-file\.schema\.json$/ }, () => ({
      path: "../media/team-file.schema.json",
      external: true,
    }));
  },
};

/** The providers whose SDK is a bundle of its own: their folders in server/models. */
const SDKS = ["anthropic", "gemini"];

/** @param {string} provider */
const sdkFile = (provider) => `${provider}-sdk.js`;

/**
 * The host starts from its own bundle alone, and loads a provider's SDK from beside it with the first request.
 * @type {import("esbuild").Plugin}
 */
const sdksBeside = {
  name: "sdks-beside",
  setup(hooks) {
    hooks.onResolve({ filter: /^\.\/sdk\.ts$/ }, ({ importer }) => ({
      path: `./${sdkFile(basename(dirname(importer)))}`,
      external: true,
    }));
  },
};

/**
 * Packages that the host seldom needs, each a file beside it: what a source that imports one gets instead. `require` is that
 * of the banner. YAML is for modules that are themselves imported dynamically; the first pattern loads re2js, the first
 * agent program cross-spawn.
 */
const LATER = {
  yaml: `module.exports = require("./server-yaml.cjs");`,
  "cross-spawn": `module.exports = (...args) => require("./server-cross-spawn.cjs")(...args);`,
  re2js: `exports.RE2JS = { compile: (text) => require("./server-re2js.cjs").RE2JS.compile(text) };`,
};

/** @type {import("esbuild").Plugin} */
const packagesBeside = {
  name: "packages-beside",
  setup(hooks) {
    const names = new RegExp(`^(${Object.keys(LATER).join("|")})$`);
    hooks.onResolve({ filter: names }, ({ path }) => ({ path, namespace: "later" }));
    hooks.onResolve({ filter: /^\.\/server-/, namespace: "later" }, ({ path }) => ({ path, external: true }));
    hooks.onLoad({ filter: names, namespace: "later" }, ({ path }) => ({
      contents: LATER[/** @type {keyof typeof LATER} */ (path)],
    }));
  },
};

/** What reads a team of AutoGen: a file beside the host, which the first such team loads. */
const AUTOGEN = "server/engine/autogen/read-autogen-component.ts";

/** @type {import("esbuild").Plugin} */
const autoGenBeside = {
  name: "autogen-beside",
  setup(hooks) {
    hooks.onResolve({ filter: new RegExp(`/${basename(AUTOGEN, ".ts")}\\.ts$`) }, ({ path }) => ({
      path,
      namespace: "autogen",
    }));
    hooks.onResolve({ filter: /^\.\/server-/, namespace: "autogen" }, ({ path }) => ({ path, external: true }));
    hooks.onLoad({ filter: /.*/, namespace: "autogen" }, () => ({
      contents: `exports.readAutoGenComponent = (json) => require("./server-autogen.cjs").readAutoGenComponent(json);`,
    }));
  },
};

/**
 * Anthropic's SDK brings a package for webhooks, which nothing here receives. It comes without the text of its licence.
 * @type {import("esbuild").Plugin}
 */
const noWebhooks = {
  name: "no-webhooks",
  setup(hooks) {
    hooks.onResolve({ filter: /^standardwebhooks$/ }, ({ path }) => ({ path, namespace: "no-webhooks" }));
    hooks.onLoad({ filter: /.*/, namespace: "no-webhooks" }, () => ({ contents: "export class Webhook {}" }));
  },
};

/**
 * The client of PostgreSQL can be another one, in C, and can run in a cloud's workers. Neither is used here, nor are its
 * parsers of types: the store has its own.
 * @type {import("esbuild").Plugin}
 */
const noNativeClient = {
  name: "no-native-client",
  setup(hooks) {
    hooks.onResolve({ filter: /^(pg-native|pg-cloudflare|\.\/native)$/ }, ({ path }) => ({
      path,
      namespace: "no-native-client",
    }));
    hooks.onResolve({ filter: /^pg-types$/ }, ({ path }) => ({ path, namespace: "no-native-client" }));
    hooks.onLoad({ filter: /^pg-types$/, namespace: "no-native-client" }, () => ({
      contents: "exports.getTypeParser = () => String; exports.setTypeParser = () => {};",
    }));
    hooks.onLoad({ filter: /.*/, namespace: "no-native-client" }, () => ({ contents: "" }));
  },
};

/**
 * The SDK of the Model Context Protocol brings a validator of schemas that compiles them into code. Gavel gives it its own.
 * @type {import("esbuild").Plugin}
 */
const noSchemaCompiler = {
  name: "no-schema-compiler",
  setup(hooks) {
    hooks.onResolve({ filter: /^@modelcontextprotocol\/client\/_shims$/ }, ({ path }) => ({
      path,
      namespace: "no-schema-compiler",
    }));
    hooks.onLoad({ filter: /.*/, namespace: "no-schema-compiler" }, () => ({
      contents: "export class DefaultJsonSchemaValidator {} export const CORS_IS_POSSIBLE = false;",
    }));
  },
};

/**
 * VS Code reads and compiles all of the file that it activates: that one registers the commands, and loads the rest later.
 * @type {import("esbuild").Plugin}
 */
const extensionBeside = {
  name: "extension-beside",
  setup(hooks) {
    hooks.onResolve({ filter: /^\.\/gavel\.ts$/ }, () => ({ path: "./client-gavel.cjs", external: true }));
  },
};

/**
 * Completion and hover are needed while a team file is written, the files that one names when it names some, the socket when
 * other clients may join, the client of PostgreSQL when the store is there, the links to workers and to other hosts when
 * they are needed, and metrics when someone watches.
 */
const PARTS = [
  "suggestions",
  "agent-references",
  "host-socket",
  "postgres-database",
  "link-parts",
  "hosts-on-link",
  "health-endpoint",
];

/** @type {import("esbuild").Plugin} */
const partsBeside = {
  name: "parts-beside",
  setup(hooks) {
    for (const part of PARTS) {
      const filter = new RegExp(`^(?:\\.{1,2}/)+(?:agent-files/|socket/|link/|health/)?${part}\\.ts$`);
      hooks.onResolve({ filter }, () => ({ path: `./server-${part}.js`, external: true }));
    }
  },
};

/** What links hosts with others shares the client of NATS. */
const natsBeside = {
  name: "nats-beside",
  /** @param {import("esbuild").PluginBuild} hooks */
  setup(hooks) {
    hooks.onResolve({ filter: /\/nats-link\.ts$/ }, () => ({ path: "./server-nats-link.js", external: true }));
  },
};

/**
 * The library of language servers brings a search for modules of npm, which starts processes. Nothing here uses it.
 * @type {import("esbuild").Plugin}
 */
const noModuleSearch = {
  name: "no-module-search",
  setup(hooks) {
    hooks.onResolve({ filter: /^\.\/files$/ }, ({ path, importer }) =>
      /vscode-languageserver[\\/]lib[\\/]node/.test(importer) ? { path, namespace: "no-module-search" } : undefined,
    );
    hooks.onLoad({ filter: /.*/, namespace: "no-module-search" }, () => ({ contents: "" }));
  },
};

/** What the host, and the library of language servers, use of the types of the Language Server Protocol. */
const USED_TYPES = /^(CompletionItemKind|DiagnosticSeverity|DocumentUri|MarkupKind|URI|WorkspaceFolder|u?integer)$/;

/**
 * Each type of the Language Server Protocol comes with functions that make and check its values, hardly any of which is
 * called. They are changed so that a bundle can leave out the others.
 * @type {import("esbuild").Plugin}
 */
const usedTypes = {
  name: "used-types",
  setup(hooks) {
    hooks.onLoad({ filter: /vscode-languageserver-types[\\/]lib[\\/]esm[\\/]main\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8")
        .replaceAll(/^var (\w+);\n\(function/gm, "var $1 = /* @__PURE__ */ (function")
        .replaceAll(/^export var (\w+);\n\(function/gm, "export var $1 = /* @__PURE__ */ (function")
        .replaceAll(/^\}\)\((\w+) \|\| \(\1 = \{\}\)\);$/gm, "return $1; })({});")
        .replaceAll(/^export (\w+ (\w+))/gm, (all, what, name) => (USED_TYPES.test(name) ? all : what)),
    }));
  },
};

/** @type {import("esbuild").BuildOptions} */
const extension = {
  platform: "node",
  target: "node22",
  format: "cjs",
  external: ["vscode"],
  // VS Code gives its API to what is required.
  supported: { "dynamic-import": false },
};

/** @type {readonly Bundle[]} */
export const bundles = [
  // The extension, loaded by VS Code's extension host: what activates, and the rest.
  {
    entry: "client/main.ts",
    output: "dist/client.cjs",
    aimKb: 10,
    isLimited: true,
    options: { ...extension, plugins: [extensionBeside] },
  },
  { entry: "client/gavel.ts", output: "dist/client-gavel.cjs", aimKb: 500, options: extension },
  // The agent host, a Node process of its own that the extension starts. What it loads when needed is beside it.
  {
    entry: "server/main.ts",
    output: "dist/server.js",
    aimKb: 1210,
    isLimited: true,
    options: {
      ...hostProcess,
      plugins: [teamFileSchema, sdksBeside, packagesBeside, partsBeside, autoGenBeside, noModuleSearch, usedTypes],
    },
  },
  // The files that a team file names.
  {
    entry: "server/host/agent-files/agent-references.ts",
    output: "dist/server-agent-references.js",
    aimKb: 250,
    options: { ...hostProcess, plugins: [packagesBeside] },
  },
  // Completion and hover in team files.
  {
    entry: "server/host/language/suggestions.ts",
    output: "dist/server-suggestions.js",
    aimKb: 250,
    options: { ...hostProcess, plugins: [packagesBeside] },
  },
  // What reads a store on PostgreSQL.
  {
    entry: "server/host/store/postgres/postgres-database.ts",
    output: "dist/server-postgres-database.js",
    aimKb: 250,
    options: { ...hostProcess, plugins: [noNativeClient] },
  },
  // What links hosts with workers.
  {
    entry: "server/host/workers/link/link-parts.ts",
    output: "dist/server-link-parts.js",
    aimKb: 250,
    options: { ...hostProcess, plugins: [packagesBeside, natsBeside] },
  },
  // What links hosts of one store with each other.
  {
    entry: "server/host/other-hosts/link/hosts-on-link.ts",
    output: "dist/server-hosts-on-link.js",
    aimKb: 250,
    options: { ...hostProcess, plugins: [packagesBeside, natsBeside] },
  },
  // The client of NATS, of both.
  {
    entry: "server/link/nats-link.ts",
    output: "dist/server-nats-link.js",
    aimKb: 250,
    options: hostProcess,
  },
  // What tells those who watch a host how it does.
  {
    entry: "server/host/health/health-endpoint.ts",
    output: "dist/server-health-endpoint.js",
    aimKb: 250,
    options: hostProcess,
  },
  // A worker, a process of its own, which "gavel worker" starts.
  {
    entry: "server/worker/main.ts",
    output: "dist/worker.js",
    aimKb: 1200,
    options: { ...hostProcess, plugins: [sdksBeside, packagesBeside, noModuleSearch, usedTypes] },
  },
  // What lets further clients join.
  {
    entry: "server/host/socket/host-socket.ts",
    output: "dist/server-host-socket.js",
    aimKb: 200,
    options: hostProcess,
  },
  ...Object.keys(LATER).map((name) => ({
    entry: `./node_modules/${name}`,
    output: `dist/server-${name}.cjs`,
    aimKb: 200,
    options: { platform: /** @type {const} */ ("node"), target: "node22", format: /** @type {const} */ ("cjs") },
  })),
  {
    entry: AUTOGEN,
    output: "dist/server-autogen.cjs",
    aimKb: 200,
    options: { platform: "node", target: "node22", format: "cjs" },
  },
  // The SDK of agent programs.
  {
    entry: "server/acp/sdk.ts",
    output: "dist/acp-sdk.js",
    aimKb: 450,
    options: hostProcess,
  },
  // What speaks with agents elsewhere, which the first turn of one loads.
  {
    entry: "server/a2a/sdk.ts",
    output: "dist/a2a-sdk.js",
    aimKb: 450,
    options: hostProcess,
  },
  ...SDKS.map((provider) => ({
    entry: `server/models/${provider}/sdk.ts`,
    output: `dist/${sdkFile(provider)}`,
    aimKb: 450,
    options: { ...hostProcess, plugins: [noWebhooks] },
  })),
  // What speaks with MCP servers, which the first one that is needed loads.
  {
    entry: "server/mcp/sdk.ts",
    output: "dist/mcp-sdk.js",
    aimKb: 700,
    // jsonc-parser's CommonJS build requires its files in a way that cannot be bundled.
    options: { ...hostProcess, mainFields: ["module", "main"], plugins: [noSchemaCompiler] },
  },
  // The thread that writes the store.
  {
    entry: "server/host/store/writing/store-worker.ts",
    output: "dist/store-worker.js",
    aimKb: 250,
    options: hostProcess,
  },
  // The thread that writes a store on PostgreSQL.
  {
    entry: "server/host/store/postgres/postgres-worker.ts",
    output: "dist/postgres-worker.js",
    aimKb: 400,
    options: { ...hostProcess, plugins: [noNativeClient] },
  },
  // The thread of one search for messages.
  {
    entry: "server/host/store/search/search-worker.ts",
    output: "dist/search-worker.js",
    aimKb: 250,
    options: hostProcess,
  },
  // The thread that reads one web page.
  {
    entry: "server/tools/web/html-worker.ts",
    output: "dist/html-worker.js",
    aimKb: 250,
    options: hostProcess,
  },
  // The command line. What a command needs is a file of its own beside it.
  {
    entry: "cli/main.ts",
    output: "dist/cli.js",
    aimKb: 20,
    options: { ...hostProcess, splitting: true, chunkNames: "cli-[name]-[hash]" },
  },
  // The chat page and its style sheet. What the page imports dynamically becomes files of their own beside it.
  {
    entry: "client/webview/main.tsx",
    output: "dist/webview/main.js",
    options: { ...webview, format: "esm", splitting: true, jsx: "automatic", jsxImportSource: "preact" },
  },
  { entry: "client/webview/main.css", output: "dist/webview/main.css", options: webview },
];

/** The most that the page may load before it first paints, in kB of 1000 bytes. */
export const FIRST_PAINT_KB = 250;

/**
 * The options that make a bundle: minified, with a source map beside it.
 * @param {Bundle} bundle
 * @returns {import("esbuild").BuildOptions}
 */
export function esbuildOptions({ entry, output, options }) {
  const name = basename(output, extname(output));
  return {
    absWorkingDir: root,
    ...(options.splitting
      ? { entryPoints: [{ in: entry, out: name }], outdir: dirname(output) }
      : { entryPoints: [entry], outfile: output }),
    bundle: true,
    minify: true,
    sourcemap: true,
    legalComments: "none",
    logLevel: "silent",
    metafile: true,
    ...options,
  };
}

/**
 * The sizes of the page's scripts and styles in bytes: what it loads before it first paints, and what it loads when needed.
 * @param {readonly (import("esbuild").Metafile | undefined)[]} metafiles of all bundles
 */
export function pageSizes(metafiles) {
  const outputs = Object.assign({}, ...metafiles.map((each) => each?.outputs));
  const files = Object.keys(outputs).filter((path) => /^dist\/webview\/.*\.(js|css)$/.test(path));
  const first = new Set(bundles.map(({ output }) => output).filter((output) => files.includes(output)));
  // A set's loop also visits what is added to it meanwhile.
  for (const path of first) {
    for (const { kind, path: imported } of outputs[path].imports) {
      if (kind === "import-statement") first.add(imported);
    }
  }
  /** @param {readonly string[]} paths */
  const bytes = (paths) => paths.reduce((total, path) => total + outputs[path].bytes, 0);
  return { firstPaint: bytes([...first]), later: bytes(files.filter((path) => !first.has(path))) };
}

/** Builds every bundle and prints its size. A warning fails the build as an error does. */
async function buildAll() {
  const results = await Promise.all(bundles.map((bundle) => build(esbuildOptions(bundle)).catch(buildFailure)));
  const messages = results.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  const options = { kind: /** @type {const} */ ("error"), color: process.stdout.isTTY, terminalWidth: 120 };
  for (const problem of await formatMessages(messages, options)) console.error(problem);
  if (messages.length > 0) {
    process.exitCode = 1;
    return;
  }
  const metafiles = results.map((result) => ("metafile" in result ? result.metafile : undefined));
  removeOldFiles(metafiles);
  for (const { output, aimKb = 0, isLimited } of bundles) {
    if (output.startsWith("dist/webview/")) continue;
    const { size } = statSync(join(root, output));
    console.log(sizeLine(output, size, aimKb));
    if (!isLimited || size <= aimKb * 1000) continue;
    console.error(`${output} may have ${aimKb} kB. CONTRIBUTING.md says how to load a part later.`);
    process.exitCode = 1;
  }
  const { firstPaint, later } = pageSizes(metafiles);
  console.log(sizeLine("page at first paint", firstPaint, FIRST_PAINT_KB));
  console.log(sizeLine("page, loaded later", later));
  if (firstPaint <= FIRST_PAINT_KB * 1000) return;
  console.error(
    `The page may load ${FIRST_PAINT_KB} kB before it first paints. CONTRIBUTING.md says how to load a part later.`,
  );
  process.exitCode = 1;
}

/**
 * The names of later parts, of the page and of the command line, have a hash: those of earlier builds would be packaged too.
 * @param {readonly (import("esbuild").Metafile | undefined)[]} metafiles
 */
function removeOldFiles(metafiles) {
  const written = new Set(metafiles.flatMap((each) => Object.keys(each?.outputs ?? {})));
  const parts = readdirSync(join(root, "dist")).filter((name) => name.startsWith("cli-"));
  for (const path of [
    ...readdirSync(join(root, "dist", "webview")).map((name) => `dist/webview/${name}`),
    ...parts.map((name) => `dist/${name}`),
  ]) {
    if (!written.has(path)) rmSync(join(root, path), { force: true });
  }
}

/** Builds again on every change, until the process is ended. .vscode/tasks.json waits for the lines it prints. */
async function watchAll() {
  let running = 0;
  /** @type {import("esbuild").Plugin} */
  const report = {
    name: "report",
    setup(hooks) {
      hooks.onStart(() => {
        if (running++ === 0) console.log("[watch] build started");
      });
      hooks.onEnd(({ errors, warnings }) => {
        for (const { location, text } of [...errors, ...warnings]) {
          console.error(`${location?.file ?? "?"}:${location?.line ?? 1}:${(location?.column ?? 0) + 1}: ${text}`);
        }
        if (--running === 0) console.log("[watch] build finished");
      });
    },
  };
  const contexts = await Promise.all(
    bundles
      .map(esbuildOptions)
      .map((options) => context({ ...options, plugins: [...(options.plugins ?? []), report] })),
  );
  await Promise.all(contexts.map((each) => each.watch()));
}

/**
 * @param {string} name
 * @param {number} bytes
 * @param {number} [aimKb]
 */
function sizeLine(name, bytes, aimKb) {
  const size = Math.round(bytes / 1000);
  return `${name.padEnd(22)}${String(size).padStart(6)} kB${aimKb === undefined ? "" : ` of ${aimKb}`}`;
}

/**
 * esbuild rejects with the same two lists that a good build returns.
 * @param {unknown} error
 * @returns {Pick<import("esbuild").BuildResult, "errors" | "warnings">}
 */
function buildFailure(error) {
  if (!(error instanceof Error && "errors" in error && "warnings" in error)) throw error;
  return /** @type {import("esbuild").BuildFailure} */ (error);
}

if (import.meta.main) {
  const { watch } = parseArgs({ options: { watch: { type: "boolean", default: false } } }).values;
  await (watch ? watchAll() : buildAll());
}
