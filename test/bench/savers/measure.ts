import * as z from "zod";
import { Child } from "../child.ts";
import { peerLineup } from "../contenders/lineup.ts";

const Ready = z.object({ ready: z.literal(true) });
const SaverSize = z.object({ heapBytes: z.number(), savedBytes: z.number() });
export type SaverSize = z.infer<typeof SaverSize>;

/** A saver and its module. */
export interface SaverModule {
  readonly label: string;
  readonly module: string;
  readonly loader?: string | undefined;
}

export const bareListSaver: SaverModule = { label: "a bare list of messages", module: "./bare-list.ts" };
export const engineSaver: SaverModule = { label: "engine", module: "./engine.ts" };

/** LangGraph with its MemorySaver, installed on first use. @throws the reason why it could not be installed. */
export async function langGraphSaver(): Promise<SaverModule> {
  const { present, absent } = await peerLineup(["langgraph"]);
  const [peer] = present;
  if (peer === undefined) throw new Error(absent[0]?.why);
  return { label: `${peer.label}, MemorySaver`, module: "./langgraph.ts", loader: peer.loader };
}

/** The size of a conversation of `turns` turns, in memory and saved, measured in a process of its own. */
export async function measureSaver({ module, loader }: SaverModule, turns: number): Promise<SaverSize> {
  const child = new Child("savers/process.ts", [module, loader ?? ""], ["--expose-gc", "--max-old-space-size=4096"]);
  try {
    await child.next(Ready);
    return await child.ask({ turns }, SaverSize);
  } finally {
    await child.stop();
  }
}
