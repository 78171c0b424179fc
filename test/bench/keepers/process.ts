import { pathToFileURL } from "node:url";
import * as z from "zod";
import type { LoadPeer } from "../contenders/contender.ts";
import type { KeeperExports } from "./keeper.ts";

/** A process in which one keeper has one talk, so that whatever it holds at the end is of that talk. Run with --expose-gc. */
const Question = z.object({ turns: z.number() });

const [module = "", loader = ""] = process.argv.slice(2);
const loadPeer: LoadPeer = async (specifier) => {
  const { load } = await import(pathToFileURL(loader).href);
  return load(specifier);
};
const { keep }: KeeperExports = await import(new URL(module, import.meta.url).href);

process.on("disconnect", () => process.exit());
process.on("message", (message) => void answer(Question.parse(message)));
process.send?.({ ready: true });

async function answer({ turns }: z.infer<typeof Question>): Promise<void> {
  // What is loaded and compiled on the way is no part of the thread.
  await (await keep(loadPeer)).talk(20);
  const keeper = await keep(loadPeer);
  const before = heldBytes();
  await keeper.talk(turns);
  const heapBytes = heldBytes() - before;
  process.send?.({ heapBytes, savedBytes: keeper.savedBytes() });
}

/** Bytes that are still in use after the garbage is collected, those of buffers among them. */
function heldBytes(): number {
  if (globalThis.gc === undefined) throw new Error("Start this process with --expose-gc.");
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
