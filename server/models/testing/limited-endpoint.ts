import { setTimeout } from "node:timers/promises";
import { delta, finished, type RawEndpoint, rawEndpoint, sendJson, startStream } from "./raw-endpoint.ts";

export interface LimitedEndpoint extends RawEndpoint {
  /** The most requests that it answered at once. */
  readonly most: number;
  readonly refused: number;
}

/**
 * An endpoint that answers `limit` requests at once, each with "ok" in `ms` milliseconds, and refuses others with 429. No
 * answer ends before `opened` resolves.
 */
export async function limitedEndpoint(limit: number, ms = 5, opened?: Promise<unknown>): Promise<LimitedEndpoint> {
  let now = 0;
  let most = 0;
  let refused = 0;
  const endpoint = await rawEndpoint((response) => {
    if (now === limit) {
      refused += 1;
      sendJson(response, 429, { error: { message: "Too many at once." } });
      return;
    }
    now += 1;
    most = Math.max(most, now);
    startStream(response, delta({ content: "ok" }));
    void Promise.all([setTimeout(ms), opened]).then(() => {
      now -= 1;
      response.end(`data: ${JSON.stringify(finished)}\n\ndata: [DONE]\n\n`);
    });
  });
  return Object.defineProperties(endpoint, {
    most: { get: () => most },
    refused: { get: () => refused },
  }) as LimitedEndpoint;
}
