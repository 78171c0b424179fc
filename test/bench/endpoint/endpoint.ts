import { z } from "zod";
import { Child } from "../child.ts";

const Ready = z.object({ port: z.number() });
const Closed = z.object({ closed: z.string(), at: z.string() });

/** The model's side of a benchmark. */
export interface Endpoint {
  /** The base URL of a model that says so many pieces, one each `intervalMs` milliseconds; 0 for all at once. */
  url(pieces: number, intervalMs: number): string;
  /** When the endpoint saw that a stream of this model was closed, on the clock of `process.hrtime` that all processes share. */
  closed(model: string): Promise<bigint>;
  stop(): Promise<void>;
}

export async function startEndpoint(): Promise<Endpoint> {
  const child = new Child("endpoint/server.ts");
  const waiting = new Map<string, (at: bigint) => void>();
  child.onMessage((message) => {
    const parsed = Closed.safeParse(message);
    if (parsed.success) waiting.get(parsed.data.closed)?.(BigInt(parsed.data.at));
  });
  const { port } = await child.next(Ready);
  return {
    url: (pieces, intervalMs) => `http://127.0.0.1:${port}/${pieces}/${intervalMs}/v1`,
    closed: (model) =>
      new Promise((resolve) => {
        waiting.set(model, (at) => {
          waiting.delete(model);
          resolve(at);
        });
      }),
    stop: () => child.stop(),
  };
}
