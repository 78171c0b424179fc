import { safeParse } from "../../../../shared/safe-parse.ts";
import type { ModelCallContext, ModelPart } from "../../../engine/index.ts";
import { isPart, ModelNews } from "../../../link/index.ts";

/** The parts of a model's answer at a worker, as they come. */
export class Parts implements AsyncIterable<ModelPart> {
  readonly #context: ModelCallContext;
  readonly #waiting: ModelPart[] = [];
  #wake = (): void => {};
  #hasEnded = false;

  constructor(context: ModelCallContext) {
    this.#context = context;
  }

  add(given: unknown): void {
    const parsed = safeParse(ModelNews, given);
    if (!parsed.success || this.#hasEnded) return;
    const news = parsed.data;
    if (isPart(news)) this.#waiting.push(news);
    else if (news.type === "retry") this.#context.onRetry(retryOf(news.retry));
    else this.#context.onWait?.(news.wait);
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<ModelPart> {
    for (;;) {
      const part = this.#waiting.shift();
      if (part !== undefined) yield part;
      else if (this.#hasEnded) return;
      else {
        const woken = Promise.withResolvers<void>();
        this.#wake = woken.resolve;
        await woken.promise;
      }
    }
  }
}

/** At most a day, so that no clock overflows. */
const LONGEST_WAIT = 86_400_000;

const retryOf = ({ waitMs, ...retry }: Extract<ModelNews, { type: "retry" }>["retry"]) => ({
  ...retry,
  waitMs: Math.min(Math.max(0, waitMs), LONGEST_WAIT),
});
