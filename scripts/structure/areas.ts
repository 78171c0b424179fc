import { type Import, importsIn, resolveImport } from "./imports.ts";

/** An import that is not allowed: its place, and a sentence that says why. */
export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly imported: string;
  readonly rule: string;
}

type Area =
  | "shared"
  | "socket"
  | "engine"
  | "models"
  | "tools"
  | "mcp"
  | "acp"
  | "a2a"
  | "agents"
  | "programs"
  | "link"
  | "worker"
  | "host"
  | "server"
  | "client"
  | "common"
  | "webview"
  | "cli"
  | "schema";

interface Rule {
  /** The areas whose files may be imported. Every area may import itself. */
  readonly areas: readonly Area[];
  /** Which packages, the editor's `vscode` included, may be imported. */
  readonly packages: (name: string) => boolean;
  readonly nodeModules: boolean;
  readonly sentence: string;
}

const anyServerPackage = (name: string): boolean => name !== "vscode" && name !== "vscode-languageclient";
const pluginPackage = (name: string): boolean => !name.startsWith("vscode");

const rules: Readonly<Record<Exclude<Area, "schema">, Rule>> = {
  shared: {
    areas: ["shared"],
    packages: (name) => name === "zod",
    nodeModules: false,
    sentence: "shared/ imports only itself and zod: it is pure, and both sides of the wire run it.",
  },
  socket: {
    areas: ["socket", "shared"],
    packages: (name) => name === "zod",
    nodeModules: true,
    sentence: "socket/ imports itself, shared/ and Node alone: the host and its clients both use it.",
  },
  engine: {
    areas: ["engine", "shared"],
    packages: (name) => name === "zod" || name === "re2js",
    nodeModules: false,
    sentence: "server/engine/ imports shared/, itself, zod and re2js alone: no node: module, no host, model or tool.",
  },
  models: {
    areas: ["models", "engine", "shared"],
    packages: pluginPackage,
    nodeModules: true,
    sentence: "server/models/ is a plug-in: it imports server/engine/, shared/ and itself, and no JSON-RPC.",
  },
  tools: {
    areas: ["tools", "engine", "shared"],
    packages: pluginPackage,
    nodeModules: true,
    sentence: "server/tools/ is a plug-in: it imports server/engine/, shared/ and itself, and no JSON-RPC.",
  },
  mcp: {
    areas: ["mcp", "programs", "engine", "shared"],
    packages: pluginPackage,
    nodeModules: true,
    sentence:
      "server/mcp/ is a plug-in: it imports server/engine/, server/programs/, shared/ and itself, and no JSON-RPC of ours.",
  },
  acp: {
    areas: ["acp", "agents", "programs", "engine", "shared"],
    packages: pluginPackage,
    nodeModules: true,
    sentence:
      "server/acp/ is a plug-in: it imports server/engine/, server/agents/, server/programs/, shared/ and itself.",
  },
  a2a: {
    areas: ["a2a", "agents", "engine", "shared"],
    packages: pluginPackage,
    nodeModules: true,
    sentence: "server/a2a/ is a plug-in: it imports server/engine/, server/agents/, shared/ and itself.",
  },
  agents: {
    areas: ["agents", "engine", "shared"],
    packages: pluginPackage,
    nodeModules: true,
    sentence: "server/agents/ is what agents have in common: it imports server/engine/, shared/ and itself.",
  },
  programs: {
    areas: ["programs", "shared"],
    packages: pluginPackage,
    nodeModules: true,
    sentence: "server/programs/ starts and ends processes: it imports shared/ and itself alone.",
  },
  link: {
    areas: ["link", "engine", "shared"],
    packages: pluginPackage,
    nodeModules: true,
    sentence: "server/link/ carries messages between processes: it imports server/engine/, shared/ and itself.",
  },
  worker: {
    areas: ["worker", "link", "engine", "models", "tools", "host", "shared"],
    packages: pluginPackage,
    nodeModules: true,
    sentence: "server/worker/ runs participants for hosts: it imports server/ and shared/, and no host imports it.",
  },
  host: {
    areas: ["host", "engine", "models", "tools", "mcp", "acp", "a2a", "agents", "link", "shared", "socket", "schema"],
    packages: anyServerPackage,
    nodeModules: true,
    sentence:
      "server/host/ imports server/, shared/, socket/ and the schema of team files: client and server never import each other.",
  },
  server: {
    areas: ["server", "host", "worker", "engine", "models", "tools", "mcp", "acp", "a2a", "agents", "link", "shared"],
    packages: anyServerPackage,
    nodeModules: true,
    sentence: "server/ imports itself and shared/ alone: client and server never import each other.",
  },
  common: {
    areas: ["common", "shared"],
    packages: () => false,
    nodeModules: false,
    sentence: "client/common/ imports shared/ and itself alone: the extension and its page both run it.",
  },
  client: {
    areas: ["client", "common", "shared", "socket"],
    packages: (name) => name !== "vscode-languageserver",
    nodeModules: true,
    sentence:
      "client/ imports itself, shared/ and socket/ alone: it shares with its page only what is in client/common/.",
  },
  cli: {
    areas: ["cli", "socket", "shared"],
    packages: (name) => !name.startsWith("vscode") || name === "vscode-jsonrpc",
    nodeModules: true,
    sentence: "cli/ imports itself, shared/ and socket/ alone: it starts or joins a host as any client does.",
  },
  webview: {
    areas: ["webview", "common", "shared"],
    packages: (name) => !name.startsWith("vscode"),
    nodeModules: false,
    sentence: "client/webview/ imports client/common/, shared/, itself and packages for the browser alone.",
  },
};

/** Longest folder first, so that a file belongs to the innermost area. */
const areaFolders: readonly (readonly [folder: string, area: Area])[] = [
  ["server/engine/", "engine"],
  ["server/models/", "models"],
  ["server/tools/", "tools"],
  ["server/mcp/", "mcp"],
  ["server/acp/", "acp"],
  ["server/a2a/", "a2a"],
  ["server/agents/", "agents"],
  ["server/programs/", "programs"],
  ["server/link/", "link"],
  ["server/worker/", "worker"],
  ["server/host/", "host"],
  ["client/common/", "common"],
  ["client/webview/", "webview"],
  ["shared/", "shared"],
  ["socket/", "socket"],
  ["server/", "server"],
  ["client/", "client"],
  ["cli/", "cli"],
  ["media/team-file.schema.json", "schema"],
];

/** The imports, also of types, that an area must not have (docs/ARCHITECTURE.md). */
export function areaViolations(projectRoot: string): Violation[] {
  return importsIn(projectRoot, ["shared", "socket", "server", "client", "cli"]).flatMap(({ file, imports }) => {
    const area = areaOf(file);
    if (area === undefined || area === "schema") return [];
    const rule = rules[area];
    return imports
      .filter((one) => !isAllowed(file, one, rule))
      .map(({ specifier, line }) => ({ file, line, imported: specifier, rule: rule.sentence }));
  });
}

function isAllowed(file: string, { specifier }: Import, rule: Rule): boolean {
  const path = resolveImport(file, specifier);
  if (path !== undefined) {
    const target = areaOf(path);
    return target !== undefined && rule.areas.includes(target);
  }
  // Unit tests need node:test and node:assert, whatever they test.
  if (specifier.startsWith("node:")) return rule.nodeModules || /\.test\.tsx?$/.test(file);
  return rule.packages(packageName(specifier));
}

function areaOf(path: string): Area | undefined {
  return areaFolders.find(([folder]) => path.startsWith(folder))?.[1];
}

function packageName(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
