import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/root.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import { installPeer, type Peer, peers } from "../peers/peers.ts";

/** A contender and its module: beside this file, or for a peer with the loader of its own folder. */
export interface ContenderModule {
  readonly label: string;
  readonly module: string;
  readonly loader?: string;
}

/** A contender that cannot take part, and why. */
export interface Absent {
  readonly label: string;
  readonly why: string;
}

/** The contenders that take part, and those that cannot. */
export interface Lineup {
  readonly present: readonly ContenderModule[];
  readonly absent: readonly Absent[];
}

export const bareLoop: ContenderModule = { label: "a bare `openai` loop", module: "./bare-loop.ts" };
export const engineContender: ContenderModule = { label: "engine in process", module: "./engine.ts" };
export const hostContender: ContenderModule = { label: "through the host", module: "./host.ts" };

export const isHostBuilt = (): boolean => existsSync(join(root, "dist", "server.js"));

/** The bare loop, the engine, the host and the peers: all peers, or those named. Peers are installed on first use. */
export async function wholeLineup(names?: readonly string[]): Promise<Lineup> {
  const { present, absent } = await peerLineup(names);
  if (isHostBuilt()) return { present: [bareLoop, engineContender, hostContender, ...present], absent };
  return {
    present: [bareLoop, engineContender, ...present],
    absent: [{ label: hostContender.label, why: "run npm run build first" }, ...absent],
  };
}

/** The peers: all, or those named. They are installed on first use. */
export async function peerLineup(names?: readonly string[]): Promise<Lineup> {
  const present: ContenderModule[] = [];
  const absent: Absent[] = [];
  for (const peer of peers.filter(({ name }) => names === undefined || names.includes(name))) {
    try {
      present.push(await peerModule(peer));
    } catch (error) {
      absent.push({ label: peer.label, why: messageOf(error) });
    }
  }
  return { present, absent };
}

const peerModule = async (peer: Peer): Promise<ContenderModule> => ({
  label: peer.label,
  module: `../peers/${peer.name}.ts`,
  loader: await installPeer(peer),
});
