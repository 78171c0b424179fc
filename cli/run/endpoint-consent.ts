import { isLoopback } from "../../shared/loopback.ts";
import { keyFor, keyVariable } from "../host/keys.ts";
import { shownLine } from "../text/shown-text.ts";
import { wrap } from "../text/wrap.ts";
import { type Prompter, type View, YES_OR_NO } from "../view/view.ts";

/** Which endpoints the user allows for this command: those of `--allow-origin`, and those that are answered with yes. */
export class EndpointConsent {
  readonly #allowed: Set<string>;
  readonly #view: View;
  /** Questions that are open, by origin and key. */
  readonly #asked = new Map<string, Promise<boolean>>();

  constructor(origins: readonly string[], view: View) {
    this.#allowed = new Set(origins);
    this.#view = view;
  }

  /** Whether messages may be sent to an origin and, if it is named, a key. */
  allows(origin: string, secret?: string): Promise<boolean> {
    if (this.#allowed.has(origin)) return Promise.resolve(true);
    const id = JSON.stringify([origin, secret]);
    const asked = this.#asked.get(id) ?? this.#ask(origin, secret).finally(() => this.#asked.delete(id));
    this.#asked.set(id, asked);
    return asked;
  }

  /** The key of that name for an origin, from the environment; null if there is none, or the user refuses. */
  async key(secret: string, origin: string): Promise<string | null> {
    const key = keyFor(secret, origin, process.env);
    if (key === null) {
      this.#view.tell("warning", `There is no key "${secret}": set ${keyVariable(secret)} to it.`);
      return null;
    }
    return (await this.allows(origin, secret)) ? key : null;
  }

  async #ask(origin: string, secret: string | undefined): Promise<boolean> {
    const { prompter } = this.#view;
    if (prompter === undefined) {
      this.#view.tell("error", `The team wants to send messages to ${origin}; allow it with --allow-origin ${origin}.`);
      return false;
    }
    const answer = await prompter.choose({ lines: questionLines(origin, secret, prompter), answers: YES_OR_NO });
    if (answer === "y") this.#allowed.add(origin);
    return answer === "y";
  }
}

function questionLines(origin: string, secret: string | undefined, { columns }: Prompter): readonly string[] {
  const { protocol, hostname } = new URL(origin);
  const what = secret === undefined ? "messages" : `messages and the key "${secret}"`;
  const sentences = [
    `Send ${what} to ${origin}?`,
    "A model of the team is there. It gets the conversation, with what participants read from your files.",
    ...(protocol === "https:" || isLoopback(hostname) ? [] : ["The connection is not encrypted."]),
  ];
  return sentences.flatMap((sentence) => wrapped(sentence, columns));
}

const wrapped = (sentence: string, columns: number): readonly string[] => wrap(shownLine(sentence), columns - 1);
