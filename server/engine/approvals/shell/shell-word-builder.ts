import type { ShellWord } from "./shell-word.ts";

/** A word, and how many of its first characters are unquoted. */
export interface ParsedWord {
  readonly word: ShellWord;
  readonly plain: number;
}

/** Collects the pieces of a word. */
export class WordBuilder {
  #text = "";
  #dynamic = false;
  #quoted = false;
  #plain: number | undefined;
  #hasBrace = false;
  #last = "";
  #mayBeOption = false;

  plain(char: string): void {
    const tilde = char === "~" && ["", "=", ":"].includes(this.#last);
    const glob = "*?[".includes(char);
    if (tilde || glob) this.#dynamic = true;
    if (char === "{") this.#hasBrace = true;
    if (glob || char === "{") this.#mayBeOption ||= this.#isOptionSoFar();
    this.#add(char);
  }

  quoted(text: string): void {
    this.#plain ??= this.#text.length;
    this.#quoted = true;
    this.#add(text);
  }

  /** What is only known at run time: some text, several words, or the path of a file. */
  unknown(text: string, kind: "text" | "words" | "file"): void {
    this.#plain ??= this.#text.length;
    this.#dynamic = true;
    this.#mayBeOption ||= kind === "words" || (kind === "text" && this.#isOptionSoFar());
    this.#add(text);
  }

  /** True before the first character of a word, and in an option. */
  #isOptionSoFar(): boolean {
    return this.#text === "" || this.#text.startsWith("-");
  }

  #add(text: string): void {
    if (text !== "") this.#last = text.slice(-1);
    this.#text += text;
  }

  done(): ParsedWord {
    const text = this.#text;
    // bash expands {a,b} and {1..3} to several words; a lone [ is the name of a command.
    const expands = this.#hasBrace && /,|\.\./.test(text);
    const dynamic = (this.#dynamic && !(text === "[" && !this.#quoted)) || expands;
    const word = { text, dynamic, quoted: this.#quoted };
    return {
      word: dynamic && this.#mayBeOption ? { ...word, mayBeOption: true } : word,
      plain: this.#plain ?? text.length,
    };
  }
}
