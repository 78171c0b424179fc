/** A text of a stored event that is not read with the event. */
export interface StoredText {
  /** Reads it at once. @throws what the store throws. */
  readonly read: () => string;
  /** Reads it in parts, between which the event loop turns. @throws what the store throws. */
  readonly load: () => Promise<string>;
}

/** A text that is kept in memory while someone holds this. */
interface Loaded {
  readonly text: string;
}

/** Stands for a text that is read when it is used, and again when it is used later: most of a long thread is never used. */
class LongText {
  readonly #stored: StoredText;
  #loaded: WeakRef<Loaded> | undefined;
  #kept: Loaded | undefined;

  constructor(stored: StoredText) {
    this.#stored = stored;
  }

  get text(): string {
    const loaded = this.#kept ?? this.#loaded?.deref();
    if (loaded !== undefined) return loaded.text;
    if (isTrying) throw new NotLoaded(this);
    return this.#remember(this.#stored.read()).text;
  }

  async load(): Promise<Loaded> {
    return this.#kept ?? this.#loaded?.deref() ?? this.#remember(await this.#stored.load());
  }

  async keep(): Promise<void> {
    this.#kept = await this.load();
  }

  #remember(text: string): Loaded {
    const loaded = { text };
    this.#loaded = new WeakRef(loaded);
    return loaded;
  }
}

/** Work that was tried needs a text that is not loaded. */
class NotLoaded extends Error {
  readonly missing: LongText;

  constructor(missing: LongText) {
    super("A text has to be loaded first.");
    this.missing = missing;
  }
}

/** True while work is tried, which has no turn of the event loop in it. */
let isTrying = false;

const getters = new WeakMap<() => unknown, LongText>();

/** Makes a field of an object a text that is read when it is used. */
export function addLongText(owner: object, key: string | number, stored: StoredText): void {
  const long = new LongText(stored);
  const get = (): string => long.text;
  getters.set(get, long);
  Object.defineProperty(owner, key, { get, enumerable: true, configurable: true });
}

/** Gives `to` the field of `from` without using its text. */
export function withField<T extends object>(to: T, from: object, key: keyof T): T {
  return Object.defineProperty(to, key, Object.getOwnPropertyDescriptor(from, key) ?? {});
}

/**
 * What `work` returns. A promise where it uses texts that are not loaded: they are loaded one after the other, and `work` is
 * tried again after each. It must change nothing. `loaded` is called with the characters of each text, and may throw.
 */
export function withTexts<T>(work: () => T, loaded: (characters: number) => void): T | Promise<T> {
  const first = tried(work);
  if ("result" in first) return first.result;
  return (async () => {
    const held: Loaded[] = [];
    let next: Tried<T> = first;
    while ("missing" in next) {
      const text = await next.missing.load();
      held.push(text);
      loaded(text.text.length);
      next = tried(work);
    }
    // Until here, none of them is given up.
    held.length = 0;
    return next.result;
  })();
}

type Tried<T> = { readonly result: T } | { readonly missing: LongText };

function tried<T>(work: () => T): Tried<T> {
  isTrying = true;
  try {
    return { result: work() };
  } catch (error) {
    if (error instanceof NotLoaded) return { missing: error.missing };
    throw error;
  } finally {
    isTrying = false;
  }
}

/** Loads the texts in values of JSON, and keeps them in memory as long as the values. */
export async function keepTexts(values: Iterable<object>): Promise<void> {
  for (const value of values) for (const long of textsIn(value)) await long.keep();
}

/** Whether there is a text in the value that is read when it is used. */
export const hasLongText = (value: object): boolean => textsIn(value).length > 0;

function textsIn(value: object): LongText[] {
  return Object.values(Object.getOwnPropertyDescriptors(value)).flatMap(({ get, value: field }): LongText[] => {
    if (get !== undefined) return [getters.get(get)].filter((long) => long !== undefined);
    return typeof field === "object" && field !== null ? textsIn(field) : [];
  });
}
