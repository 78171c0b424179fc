import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { TURN_PIECES, textOf } from "../endpoint/script.ts";
import type { Contender, LoadPeer, Start } from "./contender.ts";

/** A process in which one contender runs by itself, so that no two share a heap, a connection pool or compiled code. */
const Question = z.union([
  z.object({ turns: z.number() }),
  z.object({ abortAfterPieces: z.number(), waitMs: z.number() }),
]);

const [module = "", baseUrl = "", loader = ""] = process.argv.slice(2);
const loadPeer: LoadPeer = async (specifier) => {
  const { load } = await import(pathToFileURL(loader).href);
  return load(specifier);
};
const { start }: { readonly start: Start } = await import(new URL(module, import.meta.url).href);
const contender = await start({ baseUrl, model: "bench" }, loadPeer);

process.on("disconnect", () => void leave());
process.on("message", (message) => void answer(message));
process.send?.({ ready: true });

async function leave(): Promise<void> {
  await contender.dispose?.();
  process.exit();
}

async function answer(message: unknown): Promise<void> {
  const question = Question.parse(message);
  process.send?.(
    "turns" in question ? await timeTurns(contender, question.turns) : await timeAbort(contender, question),
  );
}

async function timeTurns(of: Contender, count: number): Promise<{ ms: number }> {
  const expected = textOf(TURN_PIECES);
  const begun = performance.now();
  for (let at = 0; at < count; at++) {
    let seen = "";
    const held = await of.turn((delta) => {
      seen += delta;
    }, new AbortController().signal);
    if (seen !== expected || held !== expected) throw new Error(`A turn came to "${held}", seen as "${seen}".`);
  }
  return { ms: (performance.now() - begun) / count };
}

/** Aborts a turn in mid-stream: how long until it is over, and whether what had been seen of it is kept. */
async function timeAbort(
  of: Contender,
  { abortAfterPieces, waitMs }: { readonly abortAfterPieces: number; readonly waitMs: number },
): Promise<{ ms: number; kept: boolean; abortedAt: string }> {
  const controller = new AbortController();
  const far = Promise.withResolvers<void>();
  let seen = "";
  let pieces = 0;
  const turn = of.turn((delta) => {
    seen += delta;
    if (++pieces === abortAfterPieces) far.resolve();
  }, controller.signal);
  await Promise.race([far.promise, turn]);
  await pause(waitMs);
  const abortedAt = process.hrtime.bigint();
  controller.abort();
  const held = await turn;
  const ms = Number(process.hrtime.bigint() - abortedAt) / 1e6;
  return { ms, kept: held !== "" && held === seen, abortedAt: String(abortedAt) };
}
