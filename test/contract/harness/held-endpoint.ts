import type { ServerResponse } from "node:http";
import {
  delta,
  finished,
  type RawEndpoint,
  rawEndpoint,
  startStream,
} from "../../../server/models/testing/raw-endpoint.ts";

/**
 * An endpoint that gives answers one after the other. One with a `|` is held back there until the test lets it go on: a test
 * which acts in the middle of it does so on a machine of any speed.
 */
export class HeldEndpoint implements AsyncDisposable {
  readonly #endpoint: RawEndpoint;
  readonly #held: (() => void)[];

  private constructor(endpoint: RawEndpoint, held: (() => void)[]) {
    this.#endpoint = endpoint;
    this.#held = held;
  }

  static async start(...answers: readonly string[]): Promise<HeldEndpoint> {
    const held: (() => void)[] = [];
    const endpoint = await rawEndpoint((response, count) => {
      const [first = "", rest] = (answers[count - 1] ?? "Nothing more.").split("|");
      startStream(response, delta({ content: first }));
      if (rest === undefined) end(response);
      else held.push(() => end(response, rest));
    });
    return new HeldEndpoint(endpoint, held);
  }

  get baseUrl(): string {
    return this.#endpoint.url;
  }

  /** Sends the rest of the answer that is held back. */
  goOn(): void {
    const next = this.#held.shift();
    if (next === undefined) throw new Error("No answer is held back.");
    next();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#endpoint[Symbol.asyncDispose]();
  }
}

function end(response: ServerResponse, rest = ""): void {
  for (const event of [delta({ content: rest }), finished]) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end("data: [DONE]\n\n");
}
