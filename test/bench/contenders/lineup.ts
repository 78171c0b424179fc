import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/root.ts";
import { installPeer, peers } from "../peers/peers.ts";

/** A contender, and where its code is: beside this file, or for a peer with the loader of its own folder. */
export interface ContenderModule {
  readonly label: string;
  readonly module: string;
  readonly loader?: string;
}

/** One that can not take part, and why. */
export interface Absent {
  readonly label: string;
  readonly why: string;
}

export const bareLoop: ContenderModule = { label: "a bare `openai` loop", module: "./bare-loop.ts" };
export const engine: ContenderModule = { label: "engine in process", module: "./engine.ts" };
export const host: ContenderModule = { label: "through the host", module: "./host.ts" };

export const isHostBuilt = (): boolean => existsSync(join(root, "dist", "server.js"));

/** Every peer, installed if it is not yet. */
export async function peerLineup(): Promise<{ present: ContenderModule[]; absent: Absent[] }> {
  const present: ContenderModule[] = [];
  const absent: Absent[] = [];
  for (const peer of peers) {
    try {
      present.push({ label: peer.label, module: `../peers/${peer.name}.ts`, loader: await installPeer(peer) });
    } catch (error) {
      absent.push({ label: peer.label, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return { present, absent };
}
