import type { Link, LinkMessage } from "../link.ts";

/** What a {@link FaultyLink} does to one message. */
export type Fate = "carry" | "lose" | "twice";

/** A link within one process that loses what it is told to lose, and can go down. */
export class FaultyLink implements Link {
  readonly name = "a faulty link";
  readonly #fate: () => Fate;
  readonly #subscribers = new Map<string, Set<(message: LinkMessage) => void>>();
  readonly #listeners = new Set<(isUp: boolean) => void>();
  #isUp = true;
  /** How many messages were carried. */
  carried = 0;
  lost = 0;

  constructor(fate: () => Fate = () => "carry") {
    this.#fate = fate;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  set isUp(isUp: boolean) {
    this.#isUp = isUp;
    for (const listener of this.#listeners) listener(isUp);
  }

  publish(subject: string, data: Uint8Array): void {
    const fate = this.#isUp ? this.#fate() : "lose";
    if (fate === "lose") this.lost++;
    else for (let times = fate === "twice" ? 2 : 1; times > 0; times--) setImmediate(() => this.#carry(subject, data));
  }

  subscribe(subject: string, receive: (message: LinkMessage) => void): () => void {
    const subscribers = this.#subscribers.get(subject) ?? new Set();
    this.#subscribers.set(subject, subscribers.add(receive));
    return () => subscribers.delete(receive);
  }

  async request(): Promise<undefined> {}

  onStatus(changed: (isUp: boolean) => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  async close(): Promise<void> {}

  #carry(subject: string, data: Uint8Array): void {
    this.carried++;
    for (const receive of this.#subscribers.get(subject) ?? []) receive({ subject, data, respond: () => {} });
  }
}
