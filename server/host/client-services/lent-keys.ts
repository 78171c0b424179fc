/** The keys that a client's user lets the host use after the client has gone: in memory only, each for one origin. */
export class LentKeys {
  readonly #values = new Map<string, string>();

  get(secret: string, origin: string): string | undefined {
    return this.#values.get(placeOf(secret, origin));
  }

  /** The client has given the key, and lends it or no longer does. */
  note(
    secret: string,
    origin: string,
    { value, lend }: { readonly value: string | null; readonly lend?: boolean | undefined },
  ) {
    if (value !== null && lend === true) this.#values.set(placeOf(secret, origin), value);
    else this.#values.delete(placeOf(secret, origin));
  }

  /** What another connection of the same client has lent is lent by this one too. */
  take(others: LentKeys): void {
    for (const [place, value] of others.#values) this.#values.set(place, value);
  }
}

const placeOf = (secret: string, origin: string): string => JSON.stringify([secret, origin]);
