import { pathToFileURL } from "node:url";
import * as z from "zod";
import type { ContenderExports, LoadPeer, ModelAt } from "./contender.ts";
import { Streams } from "./streams.ts";
import { type Work, workOf } from "./work.ts";

/** A process that runs one contender, so that no two share a heap, a connection pool or compiled code. */
const Question = z.union([
  z.object({ kind: z.enum(["turn", "conversation", "branches"]), agents: z.number(), times: z.number() }),
  z.object({ streams: z.number() }),
  z.object({ abortAfterMs: z.number() }),
]);
type Question = z.infer<typeof Question>;

const [module = "", baseUrl = "", loader = ""] = process.argv.slice(2);
const loadPeer: LoadPeer = async (specifier) => {
  const { load } = await import(pathToFileURL(loader).href);
  return load(specifier);
};
const contender: ContenderExports = await import(new URL(module, import.meta.url).href);
const at: ModelAt = { baseUrl, model: "bench" };
const works = new Map<string, Promise<Work>>();
let streams = new Streams([]);

process.on("disconnect", () => void leave());
process.on("message", (message) => void answer(Question.parse(message)));
process.send?.({ ready: true });

async function leave(): Promise<void> {
  for (const work of works.values()) await (await work).dispose?.();
  process.exit();
}

async function answer(question: Question): Promise<void> {
  if ("streams" in question) {
    await streams.stop();
    const started: ReturnType<ContenderExports["start"]>[] = [];
    for (let count = 0; count < question.streams; count++) started.push(contender.start(at, loadPeer));
    streams = new Streams(await Promise.all(started));
    process.send?.({ streaming: true });
  } else if ("abortAfterMs" in question) {
    process.send?.(await streams.abortOne(question.abortAfterMs));
  } else {
    process.send?.({ ms: await time(question) });
  }
}

/** Milliseconds for one run. What a task needs is started on first use and reused. */
async function time({ kind, agents, times }: Extract<Question, { times: number }>): Promise<number> {
  const key = `${kind} ${agents}`;
  const starting = works.get(key) ?? workOf(contender, { kind, agents }, at, loadPeer);
  works.set(key, starting);
  const work = await starting;
  const started = performance.now();
  for (let done = 0; done < times; done++) await work.once();
  return (performance.now() - started) / times;
}
