import { findProgram } from "../option-tables/find-program.ts";
import { normalizedName, type Program, type Words } from "../option-tables/program.ts";
import type { ShellWord } from "../shell/shell-word.ts";
import { commandName } from "./command-name.ts";

/**
 * The words of a command that a rule has to name, by their place: the options, subcommands and other words that run or load
 * something, upload, or write to a place that they name. The value is what has to be in the rule as it stands there, such as
 * `--output` of `--output=x`; undefined for a word that is only known at run time, which no rule names. The place -1 stands
 * for what the command reads as its script because it has no words.
 */
export type WordsToName = ReadonlyMap<number, string | undefined>;

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
const PLAIN_TO_SHELLS = /^[A-Za-z0-9_@%+=:,./-]+$/;
const known = new WeakMap<readonly ShellWord[], WordsToName>();

/** Takes time in proportion to the number of words. */
export function wordsToName(command: readonly ShellWord[]): WordsToName {
  const answer = known.get(command) ?? findWordsToName(command);
  known.set(command, answer);
  return answer;
}

function findWordsToName(command: readonly ShellWord[]): WordsToName {
  const found = new Map<number, string | undefined>();
  let at = 0;
  for (let word = command[at]; word !== undefined; word = command[++at]) {
    const assignment = ASSIGNMENT.exec(word.text)?.[0];
    if (assignment === undefined) break;
    found.set(at, assignment);
  }
  // A program that runs another is followed by the words of that one.
  for (let name = at; name < command.length; ) {
    const program = findProgram(commandName(command[name]?.text ?? ""));
    if (program === undefined) break;
    name = new Reader(program, command, name, found).read();
  }
  return found;
}

/**
 * What a word after an option is: its value or the first operand, its value, a text in the program's own language, or a
 * program that it runs.
 */
type AfterOption = "unknown" | "value" | "text" | "module";

/** Reads the words of one program from left to right. */
class Reader {
  readonly #program: Program;
  readonly #command: readonly ShellWord[];
  readonly #start: number;
  readonly #found: Map<number, string | undefined>;
  /** The tables that apply: the program's, and those of its subcommands so far. */
  readonly #tables: Set<Words>;
  /** The tables that the next first operand is looked up in. */
  #level: ReadonlySet<Words>;
  #operands = 0;
  #optionsEnded = false;
  #next: AfterOption | undefined;
  /** The script or text is given by an option, so that the first operand is none. */
  #isGiven = false;

  constructor(program: Program, command: readonly ShellWord[], start: number, found: Map<number, string | undefined>) {
    this.#program = program;
    this.#command = command;
    this.#start = start;
    this.#found = found;
    this.#tables = new Set([program.words]);
    this.#level = new Set([program.words]);
  }

  /** @returns the place of the program that it runs with the words after it, or the number of words. */
  read(): number {
    const { ownOperands, runs, withoutScript } = this.#program;
    for (let at = this.#start + 1; at < this.#command.length; at++) {
      const word = this.#command[at];
      if (word === undefined || (!this.#optionsEnded && this.#readOption(word, at))) continue;
      const isOperand = this.#next === undefined;
      const isModule = this.#next === "module";
      this.#readOperand(word, at);
      if (isOperand ? runs === this.#operands : isModule) return this.#readProgram(at);
      if (isOperand && ownOperands === this.#operands) return this.#command.length;
    }
    if (withoutScript !== undefined && this.#operands === 0 && !this.#isGiven) this.#found.set(-1, undefined);
    return this.#command.length;
  }

  /** @returns the place of the program that it runs. */
  #readProgram(at: number): number {
    for (let place = at; this.#program.joins && place < this.#command.length; place++) {
      const { text, dynamic } = this.#command[place] ?? { text: "", dynamic: false };
      if (dynamic || !PLAIN_TO_SHELLS.test(text)) this.#found.set(place, dynamic ? undefined : text);
    }
    return at;
  }

  /** @returns false for an operand. */
  #readOption({ text, dynamic, mayBeOption }: ShellWord, at: number): boolean {
    if (dynamic && (mayBeOption || text.startsWith("-"))) {
      this.#found.set(at, undefined);
      this.#next = "unknown";
    } else if (text === "--") {
      this.#optionsEnded = true;
      this.#next = undefined;
    } else if (text.startsWith("-") && text !== "-") {
      const named = this.#riskyPart(text);
      if (named !== undefined) this.#found.set(at, named);
      if (named !== undefined || this.#program.withoutScript?.has(text)) this.#isGiven = true;
      this.#next = this.#isTextOption(text, at) ? this.#next : this.#afterOption(text);
    } else return false;
    return true;
  }

  #afterOption(text: string): AfterOption | undefined {
    if (text.includes("=") || this.#isHarmless(text)) return undefined;
    const valued = text.startsWith("--") ? -1 : this.#firstValued(text);
    if (valued === -1) return "unknown";
    if (valued < text.length - 1) return undefined;
    return text[valued] === this.#program.runsModule ? "module" : "value";
  }

  /** For a text such as `-es/a/b/`, `-e s/a/b/` or `--expression=s/a/b/`. */
  #isTextOption(option: string, at: number): boolean {
    const { text } = this.#program;
    if (text === undefined) return false;
    const [name = ""] = option.split("=");
    const isLong = option.startsWith("--");
    const letter = this.#firstValued(option);
    const gives = isLong
      ? [...text.options].some((one) => one.length > 2 && name.length > 2 && one.startsWith(name))
      : text.options.has(`-${option[letter] ?? ""}`);
    if (!gives) return false;
    this.#isGiven = true;
    const value = isLong ? option.slice(name.length + 1) : option.slice(letter + 1);
    if (value !== "" && text.isRisky(value)) this.#found.set(at, option);
    this.#next = value === "" ? "text" : undefined;
    return true;
  }

  #readOperand(word: ShellWord, at: number): void {
    const { text, dynamic } = word;
    if (this.#isRiskyOperand(word, at)) {
      this.#found.set(at, dynamic ? undefined : (ASSIGNMENT.exec(text)?.[0] ?? text));
    }
    const within = [...this.#level].flatMap((table) => table.within.get(text) ?? []);
    for (const table of within) this.#tables.add(table);
    this.#level = new Set(this.#next === undefined ? within : [...this.#level, ...within]);
    if (this.#next === undefined) this.#operands++;
    this.#next = undefined;
  }

  #isRiskyOperand({ text, dynamic }: ShellWord, at: number): boolean {
    const { runs, text: ownText, inputs, bareLetters, words } = this.#program;
    const tables = [...this.#tables];
    if (tables.some(({ operands }) => operands !== undefined && (dynamic || operands.test(text)))) return true;
    if ([...this.#level].some((table) => this.#isSubcommand(table, text, dynamic))) return true;
    if (ownText !== undefined) {
      const isText = this.#next === "text" || (!this.#isGiven && this.#operands === 0);
      if (isText && (dynamic || ownText.isRisky(text))) return true;
    }
    if (bareLetters && at === this.#start + 1 && [...text].some((letter) => words.letters.has(letter))) return true;
    return (
      (runs === 1 && this.#next !== "value") ||
      (inputs !== undefined && this.#next === undefined && this.#operands >= inputs)
    );
  }

  #isSubcommand({ subcommands, within }: Words, text: string, dynamic: boolean): boolean {
    if (dynamic) return subcommands.size + within.size > 0;
    if (subcommands.has(text) || subcommands.has("*")) return true;
    return (
      this.#program.shortSubcommands === true &&
      text.length >= 3 &&
      [...subcommands].some((subcommand) => subcommand.startsWith(text))
    );
  }

  /** The part of an option that a rule has to name; undefined for a harmless one. */
  #riskyPart(text: string): string | undefined {
    const { style = "letters" } = this.#program;
    const [written = ""] = text.split("=");
    const [beforeColon = ""] = written.split(":");
    if (this.#isHarmless(written)) return undefined;
    const isLong = text.startsWith("--");
    for (const one of [beforeColon, written]) {
      const name = normalizedName(one);
      const isName = isLong || style === "names" || (style === "both" && name.length > 1);
      if (isName && [...this.#tables].some((table) => this.#isRiskyName(table, name))) return one;
    }
    const short = text.slice(0, 2);
    if ([...this.#level].some(({ before }) => before.has(short))) return short;
    return isLong || style === "names" ? undefined : this.#riskyLetters(text);
  }

  #isRiskyName({ names, prefixes, suffixes, letters }: Words, name: string): boolean {
    if (prefixes.some((prefix) => name.startsWith(prefix))) return true;
    if (suffixes.some((suffix) => name.endsWith(suffix))) return true;
    if (this.#program.style === "names") return names.includes(name) || letters.has(name);
    return name !== "" && names.some((one) => one.startsWith(name));
  }

  /** The part of a group of letters that ends with the last risky one. */
  #riskyLetters(text: string): string | undefined {
    const valued = this.#firstValued(text);
    let end = 0;
    for (let at = 1; at < text.length && (valued === -1 || at <= valued); at++) {
      if ([...this.#tables].some(({ letters }) => letters.has(text[at] ?? ""))) end = at + 1;
    }
    return end === 0 ? undefined : text.slice(0, end);
  }

  /** The place of the first letter in a group that takes a value, which is the rest of the word or the next word; or -1. */
  #firstValued(text: string): number {
    for (let at = 1; at < text.length; at++) {
      if ([...this.#tables].some(({ valued }) => valued.has(text[at] ?? ""))) return at;
    }
    return -1;
  }

  /** Also for a group of harmless letters. */
  #isHarmless(option: string): boolean {
    return [...this.#tables].some(
      ({ harmless }) =>
        harmless.has(option) ||
        (/^-[A-Za-z0-9]{2,}$/.test(option) && [...option.slice(1)].every((letter) => harmless.has(`-${letter}`))),
    );
  }
}
