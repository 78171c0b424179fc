/** Tells the user of each damage once. */
export class DamageNotices {
  readonly #notify: (sentence: string) => void;
  readonly #told = new Set<string>();

  constructor(notify: (sentence: string) => void = () => {}) {
    this.#notify = notify;
  }

  /** `place` identifies what is damaged, such as a team's events. */
  once(place: string, sentence: string): void {
    if (this.#told.has(place)) return;
    this.#told.add(place);
    this.#notify(sentence);
  }
}
