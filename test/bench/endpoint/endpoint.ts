import * as z from "zod";
import { Child } from "../child.ts";

const Ready = z.object({ port: z.number() });
const Closed = z.object({ closed: z.string(), at: z.string() });

/** The model endpoint of a benchmark. */
export interface BenchEndpoint {
  /** The base URL, for one caller, of a model that streams `pieces` chunks, one each `intervalMs` ms (0: at once). */
  url(caller: string, pieces: number, intervalMs: number): string;
  /** When the endpoint saw that this caller closed a stream, on the clock of `process.hrtime` that all processes share. */
  closed(caller: string): Promise<bigint>;
  stop(): Promise<void>;
}

export async function startEndpoint(): Promise<BenchEndpoint> {
  const child = new Child("endpoint/server.ts");
  const waiting = new Map<string, (at: bigint) => void>();
  child.onMessage((message) => {
    const parsed = Closed.safeParse(message);
    if (parsed.success) waiting.get(parsed.data.closed)?.(BigInt(parsed.data.at));
  });
  const { port } = await child.next(Ready);
  return {
    url: (caller, pieces, intervalMs) => `http://127.0.0.1:${port}/${caller}/${pieces}/${intervalMs}/v1`,
    closed: (caller) =>
      new Promise((resolve) => {
        waiting.set(caller, (at) => {
          waiting.delete(caller);
          resolve(at);
        });
      }),
    stop: () => child.stop(),
  };
}
