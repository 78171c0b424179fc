import { keyFor, keyVariable, usualKey } from "../../shared/environment-keys.ts";
import { isLoopback } from "../../shared/loopback.ts";
import { whoIsThere } from "../../shared/text/endpoint-text.ts";
import type { EndpointAsked } from "../host/client-answers.ts";
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
  allows(question: EndpointAsked): Promise<boolean> {
    const { origin, secret } = question;
    if (this.#allowed.has(origin)) return Promise.resolve(true);
    const id = JSON.stringify([origin, secret]);
    const asked = this.#asked.get(id) ?? this.#ask(question).finally(() => this.#asked.delete(id));
    this.#asked.set(id, asked);
    return asked;
  }

  /** The key of that name for an origin, from the environment; null if there is none, or the user refuses. */
  async key(secret: string, question: Omit<EndpointAsked, "secret">): Promise<string | null> {
    const usual = usualKey(secret, question.origin, process.env);
    if (usual !== null) return usual;
    const key = keyFor(secret, question.origin, process.env);
    if (key === null) {
      this.#view.tell("warning", `There is no key "${secret}": set ${keyVariable(secret)} to it.`);
      return null;
    }
    return (await this.allows({ ...question, secret })) ? key : null;
  }

  async #ask(question: EndpointAsked): Promise<boolean> {
    const { prompter } = this.#view;
    const { origin } = question;
    if (prompter === undefined) {
      this.#view.tell("error", `The team wants to send messages to ${origin}; allow it with --allow-origin ${origin}.`);
      return false;
    }
    const answer = await prompter.choose({ lines: questionLines(question, prompter), answers: YES_OR_NO });
    if (answer === "y") this.#allowed.add(origin);
    return answer === "y";
  }
}

function questionLines({ origin, secret, agent }: EndpointAsked, { columns }: Prompter): readonly string[] {
  const { protocol, hostname } = new URL(origin);
  const what = secret === undefined ? "messages" : `messages and the key "${secret}"`;
  const sentences = [
    `Send ${what} to ${origin}?`,
    `${whoIsThere(agent)} It gets the conversation, with what participants read from your files.`,
    ...(protocol === "https:" || isLoopback(hostname) ? [] : ["The connection is not encrypted."]),
  ];
  return sentences.flatMap((sentence) => wrapped(sentence, columns));
}

const wrapped = (sentence: string, columns: number): readonly string[] => wrap(shownLine(sentence), columns - 1);
