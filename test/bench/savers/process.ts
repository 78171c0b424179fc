import { pathToFileURL } from "node:url";
import * as z from "zod";
import type { LoadPeer } from "../contenders/contender.ts";
import type { SaverExports } from "./saver.ts";

/** A process that runs one conversation with one saver, so that its memory belongs to that alone. Needs --expose-gc. */
const Question = z.object({ turns: z.number() });

const [module = "", loader = ""] = process.argv.slice(2);
const loadPeer: LoadPeer = async (specifier) => {
  const { load } = await import(pathToFileURL(loader).href);
  return load(specifier);
};
const { createSaver }: SaverExports = await import(new URL(module, import.meta.url).href);

process.on("disconnect", () => process.exit());
process.on("message", (message) => void answer(Question.parse(message)));
process.send?.({ ready: true });

async function answer({ turns }: z.infer<typeof Question>): Promise<void> {
  // A warm-up: loaded modules and compiled code are not part of the thread.
  await (await createSaver(loadPeer)).converse(20);
  const saver = await createSaver(loadPeer);
  const before = heldBytes();
  await saver.converse(turns);
  const heapBytes = heldBytes() - before;
  process.send?.({ heapBytes, savedBytes: saver.savedBytes() });
}

/** Bytes in use after garbage collection, buffers included. */
function heldBytes(): number {
  if (globalThis.gc === undefined) throw new Error("Start this process with --expose-gc.");
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
