/** Whether the user is being asked for consent: to send something to an endpoint, or to use a model of the editor. */
export class UserConsent {
  readonly #listeners = new Set<() => void>();
  #questions = 0;

  get isAsked(): boolean {
    return this.#questions > 0;
  }

  /** The user is asked until the question is answered. */
  async during<T>(question: Promise<T>): Promise<T> {
    const answered = this.asked();
    try {
      return await question;
    } finally {
      answered();
    }
  }

  /** The user is asked from now on, until the function that it returns is called. */
  asked(): () => void {
    this.#change(1);
    let isOpen = true;
    return () => {
      if (isOpen) this.#change(-1);
      isOpen = false;
    };
  }

  /** Calls `listener` when {@link isAsked} has changed; the returned function ends that. */
  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #change(by: 1 | -1): void {
    const before = this.isAsked;
    this.#questions += by;
    if (this.isAsked !== before) for (const listener of this.#listeners) listener();
  }
}
