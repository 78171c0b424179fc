import type { KeyPress } from "../terminal/keyboard.ts";
import { type EditedLine, EMPTY, edited, visiblePart } from "../terminal/line-editor.ts";
import type { Style } from "../text/style.ts";
import { cut } from "../text/wrap.ts";
import type { Listeners, Question, TextQuestion } from "./view.ts";

type Open =
  | {
      readonly kind: "choice";
      readonly answers: Question["answers"];
      readonly answer: (key: string | undefined) => void;
    }
  | { readonly kind: "text"; readonly question: TextQuestion; readonly answer: (text: string | undefined) => void };

/** The lines of what is asked or typed, below everything else. */
export interface PromptFooter {
  readonly lines: readonly string[];
  readonly cursor?: { readonly row: number; readonly column: number };
  readonly isQuestion: boolean;
}

/** What the user types: answers to questions, which are asked one after the other, and messages while the team runs. */
export class Prompts {
  readonly #style: Style;
  readonly #changed: () => void;
  readonly #waiting: Open[] = [];
  #leave: (() => void) | undefined;
  #line: EditedLine = EMPTY;
  /** What was being typed when a question came. */
  #draft: EditedLine = EMPTY;
  #typed: ((line: string) => void) | undefined;
  #interrupt: () => void;
  #hasEnded = false;

  /** @param interrupt called with Ctrl+C until {@link listen} says what else is. */
  constructor(style: Style, { changed, interrupt }: { readonly changed: () => void; readonly interrupt: () => void }) {
    this.#style = style;
    this.#changed = changed;
    this.#interrupt = interrupt;
  }

  listen({ typed, interrupt, leave }: Pick<Listeners, "typed" | "interrupt" | "leave">): void {
    this.#typed = typed;
    this.#interrupt = interrupt;
    this.#leave = leave;
  }

  choose<K extends string>({ answers }: Question<K>, signal?: AbortSignal): Promise<K | undefined> {
    const known = new Map<string, K>(answers.map(({ key }) => [key, key]));
    return this.#open(signal, (answer) => ({
      kind: "choice",
      answers,
      answer: (key) => answer(key === undefined ? undefined : known.get(key)),
    }));
  }

  ask(question: TextQuestion, signal?: AbortSignal): Promise<string | undefined> {
    return this.#open(signal, (answer) => ({ kind: "text", question, answer }));
  }

  /** Nothing is answered any more. */
  end(): void {
    this.#hasEnded = true;
    for (const { answer } of this.#waiting.splice(0)) answer(undefined);
  }

  pressed(key: KeyPress): void {
    const choice = this.#choice;
    if (key.ctrl && key.name === "c") this.#cancel();
    else if (key.ctrl && key.name === "d" && this.#line.text === "") this.#leave?.();
    else if (choice !== undefined) this.#pressedChoice(choice, key);
    else if (key.name === "return" || key.name === "enter") this.#entered();
    else this.#line = edited(this.#line, key);
    this.#changed();
  }

  /** The choice that the next key answers: none while the user is typing a message, whose letters are no answers. */
  get #choice(): Extract<Open, { kind: "choice" }> | undefined {
    const open = this.#waiting[0];
    return open?.kind === "choice" && this.#line.text === "" ? open : undefined;
  }

  /** Ctrl+C removes what is typed first. */
  #cancel(): void {
    if (this.#line.text === "") this.#interrupt();
    else this.#line = EMPTY;
  }

  /** Undefined when there is nothing to type. */
  footer(columns: number): PromptFooter | undefined {
    const open = this.#waiting[0];
    const { bold, dim } = this.#style;
    if (open === undefined && this.#typed === undefined) return undefined;
    const choice = open?.kind === "choice" ? answerLines(open.answers, columns, this.#style) : [];
    if (this.#choice !== undefined) return { lines: choice, isQuestion: true };
    const { text, column } = visiblePart(this.#line, columns - 3);
    const hint = open?.kind === "text" ? open.question.label : "@name message";
    const shown = text === "" ? dim(cut(hint, columns - 3)) : text;
    const cursor = { row: choice.length, column: column + 2 };
    return { lines: [...choice, `${bold("›")} ${shown}`], cursor, isQuestion: open !== undefined };
  }

  #open<T>(
    signal: AbortSignal | undefined,
    make: (answer: (given: T | undefined) => void) => Open,
  ): Promise<T | undefined> {
    if (this.#hasEnded || signal?.aborted === true) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    const open = make(resolve);
    this.#waiting.push(open);
    if (this.#waiting.length === 1) this.#begin();
    signal?.addEventListener("abort", () => {
      this.#remove(open, false);
      open.answer(undefined);
      this.#changed();
    });
    this.#changed();
    return promise;
  }

  /** What is typed next is the text that is asked for. */
  #begin(): void {
    const open = this.#waiting[0];
    if (open?.kind !== "text") return;
    this.#draft = this.#line;
    const { text = "" } = open.question;
    this.#line = { text, cursor: text.length };
  }

  #remove(open: Open, isAnswered: boolean): void {
    const at = this.#waiting.indexOf(open);
    if (at === -1) return;
    this.#waiting.splice(at, 1);
    if (at > 0) return;
    if (open.kind === "text") {
      const isKept = !isAnswered && open.question.keepsText === true && this.#line.text !== "";
      if (!isKept) this.#line = this.#draft;
      this.#draft = EMPTY;
    }
    this.#begin();
  }

  #pressedChoice(open: Extract<Open, { kind: "choice" }>, { text }: KeyPress): void {
    const key = text.toLowerCase();
    if (!open.answers.some((answer) => answer.key === key)) return;
    this.#remove(open, true);
    open.answer(key);
  }

  #entered(): void {
    const { text } = this.#line;
    const open = this.#waiting[0];
    if (open?.kind === "text") {
      this.#remove(open, true);
      open.answer(text);
    } else if (text.trim() !== "") {
      this.#line = EMPTY;
      this.#typed?.(text);
    }
  }
}

/** The answers with their keys, in as many lines as they need. */
function answerLines(answers: Question["answers"], columns: number, { bold, dim }: Style): readonly string[] {
  const rows: { readonly key: string; readonly label: string }[][] = [[]];
  let used = 0;
  for (const { key, label } of answers) {
    const width = key.length + 1 + label.length + 3;
    if (used > 0 && used + width > columns) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push({ key, label });
    used += width;
  }
  return rows.map((row) =>
    row.map(({ key, label }) => (label === "" ? bold(key) : `${bold(key)} ${dim(label)}`)).join(dim(" · ")),
  );
}
