import * as z from "zod";
import { Child } from "../child.ts";
import { peerLineup } from "../contenders/lineup.ts";

const Ready = z.object({ ready: z.literal(true) });
const Held = z.object({ heapBytes: z.number(), savedBytes: z.number() });
export type Held = z.infer<typeof Held>;

/** A keeper, and where its code is. */
export interface KeeperModule {
  readonly label: string;
  readonly module: string;
  readonly loader?: string | undefined;
}

export const bareKeeper: KeeperModule = { label: "a bare list of messages", module: "./bare.ts" };
export const engineKeeper: KeeperModule = { label: "engine", module: "./engine.ts" };

/** LangGraph with its MemorySaver, installed if it is not yet. @throws what kept it from being installed. */
export async function langGraphKeeper(): Promise<KeeperModule> {
  const { present, absent } = await peerLineup(["langgraph"]);
  const [peer] = present;
  if (peer === undefined) throw new Error(absent[0]?.why);
  return { label: `${peer.label}, MemorySaver`, module: "./langgraph.ts", loader: peer.loader };
}

/** What a keeper holds after a talk of so many turns in a process of its own, in memory and saved. */
export async function heldAfter({ module, loader }: KeeperModule, turns: number): Promise<Held> {
  const child = new Child("keepers/process.ts", [module, loader ?? ""], ["--expose-gc", "--max-old-space-size=4096"]);
  try {
    await child.next(Ready);
    return await child.ask({ turns }, Held);
  } finally {
    await child.stop();
  }
}
