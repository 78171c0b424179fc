import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../../scripts/root.ts";
import { runNpm } from "../../../scripts/run-process.ts";

/** Another agent library, measured beside Gavel. `name` is its file here and its folder in the cache. */
export interface Peer {
  readonly name: string;
  /** Its main package and version, as the table shows it. */
  readonly label: string;
  /** All packages it needs, with exact versions, so that the figures can be reproduced. */
  readonly packages: Readonly<Record<string, string>>;
}

export const peers: readonly Peer[] = [
  peer("openai-agents", { "@openai/agents": "0.20.0", openai: "7.55.0", zod: "4.6.7" }),
  // 1.5 and 1.7 need a @langchain/core that @langchain/openai does not support yet.
  peer("langgraph", {
    "@langchain/langgraph": "1.4.10",
    "@langchain/openai": "1.6.0",
    "@langchain/core": "1.2.13",
    zod: "4.6.7",
  }),
  peer("genkit", { genkit: "1.42.0", "@genkit-ai/compat-oai": "1.42.0" }),
  peer("ai", { ai: "7.0.173", "@ai-sdk/openai-compatible": "3.0.92", zod: "4.6.7" }),
  peer("mastra", { "@mastra/core": "1.71.0", zod: "4.6.7" }),
];

/**
 * Installs a peer, once, in a folder of its own, so that versions cannot conflict.
 * @returns the path of a module that imports packages from that folder.
 * @throws npm's error.
 */
export async function installPeer({ name, label, packages }: Peer): Promise<string> {
  const folder = join(root, ".cache", "bench-peers", name);
  const loader = join(folder, "load.mjs");
  if (existsSync(loader)) return loader;
  console.error(`Installing ${label} into .cache/bench-peers (first run only)`);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies: packages }),
  );
  await runNpm(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], {
    cwd: folder,
    timeout: 600_000,
  });
  await writeFile(loader, "export const load = (specifier) => import(specifier);\n");
  return loader;
}

function peer(name: string, packages: Readonly<Record<string, string>>): Peer {
  return { name, label: Object.entries(packages)[0]?.join(" ") ?? name, packages };
}
