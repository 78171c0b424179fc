import { ShellScanner } from "./shell-scanner.ts";
import type { ShellWord } from "./shell-word.ts";
import { type ParsedWord, WordBuilder } from "./shell-word-builder.ts";

/** A redirection of a command from or to a file. */
interface Redirect {
  readonly use: "read" | "write";
  readonly target: ShellWord;
}

/** A simple command: its words, of which the first `assignments` are assignments such as `FOO=bar`, and its redirections. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  readonly assignments: number;
  readonly redirects: readonly Redirect[];
}

/** Every command that a script runs, including those in subshells and substitutions. */
export interface ShellScript {
  readonly commands: readonly ShellCommand[];
  /** Why it cannot be judged; `commands` are then those before that point. */
  readonly opaque?: string;
}

/** Reserved words of compound commands whose inner commands are judged one by one. */
const CONNECTIVES = new Set(["!", "{", "}", "if", "then", "elif", "else", "fi", "while", "until", "do", "done"]);
/** Reserved words of constructs that this parser does not support. */
const UNSUPPORTED_WORDS = new Set(["for", "case", "select", "function", "coproc", "[[", "esac"]);

const SEPARATORS = ["\n", ";", "&", "|"];
const WORD_ENDS = new Set(["", " ", "\t", ...SEPARATORS, "(", ")", "<", ">"]);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
const MAX_DEPTH = 24;

/**
 * Control and invisible characters, and blanks other than space, tab and newline: a shell and a reader see different
 * commands.
 */
const INVISIBLE = /(?![\t\n])\p{Cc}|(?! )\p{Zs}|\p{Zl}|\p{Zp}|\p{Cf}|\p{Cs}/u;

class OpaqueScript extends Error {}

/**
 * Parses a script for `sh` into the commands that it runs (POSIX, Shell Command Language). A script that POSIX shells and
 * bash interpret differently, or that uses unsupported syntax, is opaque. Never throws.
 */
export function parseShell(text: string): ShellScript {
  const commands: ShellCommand[] = [];
  try {
    if (INVISIBLE.test(text)) throw new OpaqueScript("it contains an invisible character");
    new Parser(text, commands, 0).list("");
    return { commands };
  } catch (error) {
    if (error instanceof OpaqueScript) return { commands, opaque: error.message };
    throw error;
  }
}

class Parser {
  readonly #scanner: ShellScanner;
  readonly #commands: ShellCommand[];
  #depth: number;

  constructor(text: string, commands: ShellCommand[], depth: number) {
    if (depth > MAX_DEPTH) throw new OpaqueScript("it is nested too deeply");
    this.#scanner = new ShellScanner(text);
    this.#commands = commands;
    this.#depth = depth;
  }

  /** Parses commands up to and including `end`; "" for the end of the text. */
  list(end: "" | ")"): void {
    for (;;) {
      this.#blanks();
      const char = this.#scanner.peek();
      if (char === end) {
        this.#scanner.next();
        return;
      }
      if (char === "") throw new OpaqueScript("a parenthesis is not closed");
      if (SEPARATORS.includes(char)) this.#separator();
      else if (char === "(") this.#subshell();
      else if (char === ")") throw new OpaqueScript("a parenthesis is not opened");
      else this.#command();
    }
  }

  /** A separator between two commands. `&>` is a redirection in bash, and ends a command in POSIX shells. */
  #separator(): void {
    const char = this.#scanner.next();
    const next = this.#scanner.peek();
    if (char === "&" && next === ">") throw new OpaqueScript("`&>` has different meanings in different shells");
    if (char === ";" && next === ";") throw new OpaqueScript("it contains `;;`");
  }

  #subshell(): void {
    this.#scanner.next();
    if (this.#scanner.peek() === "(") throw new OpaqueScript("it contains `((`");
    this.#nested(() => this.list(")"));
  }

  #nested(work: () => void): void {
    if (++this.#depth > MAX_DEPTH) throw new OpaqueScript("it is nested too deeply");
    work();
    this.#depth--;
  }

  #command(): void {
    const command = new CommandBuilder();
    try {
      for (;;) {
        this.#blanks();
        const char = this.#scanner.peek();
        if (char === "" || char === ")" || SEPARATORS.includes(char)) return;
        if (char === "(") throw new OpaqueScript("a parenthesis is inside a command");
        const redirects = this.#redirect();
        if (redirects === undefined) command.word(this.#word());
        else command.redirect(redirects);
      }
    } finally {
      // Kept even when what follows is opaque: a shell may run it before it reaches the rest.
      if (!command.isEmpty) this.#commands.push(command);
    }
  }

  /** The redirection that comes next, if any; an empty list for one that touches no file, such as `2>&1`. */
  #redirect(): readonly Redirect[] | undefined {
    const scanner = this.#scanner;
    const start = scanner.at;
    let digits = "";
    while (/[0-9]/.test(scanner.peek())) digits += scanner.next();
    const char = scanner.peek();
    if ((char !== "<" && char !== ">") || isSubstitution(scanner)) {
      scanner.at = start;
      return undefined;
    }
    if (digits.length > 1) throw new OpaqueScript("a descriptor above 9 has different meanings in different shells");
    if (scanner.take("<<")) throw new OpaqueScript("a here-document is input that no rule covers");
    const operator = ["<>", "<&", "<", ">>", ">|", ">&", ">"].find((one) => scanner.take(one));
    this.#blanks();
    const { word } = this.#word();
    if (word.text === "" && !word.quoted) throw new OpaqueScript("a redirection has no target");
    const between = operator === ">&" || operator === "<&";
    if (between && !word.dynamic && /^(?:[0-9]|-)$/.test(word.text)) return [];
    return isStandardStream(word) ? [] : [{ use: operator === "<" ? "read" : "write", target: word }];
  }

  #word(): ParsedWord {
    const scanner = this.#scanner;
    const made = new WordBuilder();
    if (isSubstitution(scanner)) {
      scanner.next();
      scanner.next();
      this.#nested(() => this.list(")"));
      made.unknown("<(…)", "file");
    }
    while (!WORD_ENDS.has(scanner.peek())) this.#piece(made);
    return made.done();
  }

  #piece(made: WordBuilder): void {
    const scanner = this.#scanner;
    const char = scanner.next();
    switch (char) {
      case "'":
        made.quoted(scanner.until("'") ?? unclosed());
        return;
      case '"':
        this.#doubleQuoted(made);
        return;
      case "\\":
        made.quoted(scanner.raw() || unclosed());
        return;
      case "`":
        this.#backticks(made, false);
        return;
      case "$":
        this.#dollar(made, false);
        return;
      default:
        made.plain(char);
    }
  }

  #doubleQuoted(made: WordBuilder): void {
    const scanner = this.#scanner;
    made.quoted("");
    for (;;) {
      const char = scanner.next();
      if (char === "") unclosed();
      if (char === '"') return;
      if (char === "`") this.#backticks(made, true);
      else if (char === "$") this.#dollar(made, true);
      else if (char === "\\") {
        const escaped = scanner.raw() || unclosed();
        made.quoted('$`"\\'.includes(escaped) ? escaped : `\\${escaped}`);
      } else made.quoted(char);
    }
  }

  /** An expansion: a plain variable, or a command substitution whose commands are judged too. */
  #dollar(made: WordBuilder, inQuotes: boolean): void {
    const scanner = this.#scanner;
    const char = scanner.peek();
    if (char === "(") {
      scanner.next();
      if (scanner.peek() === "(") throw new OpaqueScript("it contains `$((`");
      this.#nested(() => this.list(")"));
      made.unknown("$(…)", inQuotes ? "text" : "words");
    } else if (char === "{") {
      scanner.next();
      const name = scanner.until("}") ?? unclosed();
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
        throw new OpaqueScript("it contains an expansion in braces of more than a name");
      made.unknown(`\${${name}}`, inQuotes ? "text" : "words");
    } else if (/[A-Za-z0-9_@*#?$!-]/.test(char)) {
      // Also in double quotes, `$@` is a word for each parameter.
      made.unknown(`$${scanner.next()}`, inQuotes && char !== "@" ? "text" : "words");
    } else if (char === "[" || (!inQuotes && (char === "'" || char === '"'))) {
      throw new OpaqueScript(`\`$${char}\` has different meanings in different shells`);
    } else made.quoted("$");
  }

  #backticks(made: WordBuilder, inQuotes: boolean): void {
    const scanner = this.#scanner;
    let script = "";
    for (;;) {
      const char = scanner.raw();
      if (char === "") unclosed();
      if (char === "`") break;
      // Whether a backslash before it belongs to the outer quotes is undefined in POSIX.
      if (inQuotes && char === '"') throw new OpaqueScript("it contains a double quote in backticks in double quotes");
      const escaped = char === "\\" && ["`", "\\", "$"].includes(scanner.text[scanner.at] ?? "");
      script += escaped ? scanner.raw() : char;
    }
    new Parser(script, this.#commands, this.#depth + 1).list("");
    made.unknown("`…`", inQuotes ? "text" : "words");
  }

  /** Skips blanks, and a comment after them. */
  #blanks(): void {
    const scanner = this.#scanner;
    while (scanner.peek() === " " || scanner.peek() === "\t") scanner.next();
    // Within a comment a backslash does not join lines.
    if (scanner.peek() === "#")
      while (scanner.at < scanner.text.length && scanner.text[scanner.at] !== "\n") scanner.raw();
  }
}

/** Collects the words and redirections of a simple command. */
class CommandBuilder implements ShellCommand {
  readonly words: ShellWord[] = [];
  readonly redirects: Redirect[] = [];
  assignments = 0;
  #hasStarted = false;

  get isEmpty(): boolean {
    return this.words.length + this.redirects.length === 0;
  }

  word({ word, plain }: ParsedWord): void {
    if (!this.#hasStarted && isConnective(word)) return;
    this.#hasStarted = true;
    const isAssignment = (ASSIGNMENT.exec(word.text)?.[0].length ?? Number.POSITIVE_INFINITY) <= plain;
    if (isAssignment && this.assignments === this.words.length) this.assignments++;
    this.words.push(word);
  }

  redirect(redirects: readonly Redirect[]): void {
    this.#hasStarted = true;
    this.redirects.push(...redirects);
  }
}

function isConnective({ text, quoted, dynamic }: ShellWord): boolean {
  if (quoted || (dynamic && text !== "[[")) return false;
  if (UNSUPPORTED_WORDS.has(text)) throw new OpaqueScript(`it contains \`${text}\``);
  return CONNECTIVES.has(text);
}

/** True when `<(` or `>(` comes next. */
function isSubstitution(scanner: ShellScanner): boolean {
  const start = scanner.at;
  const found = scanner.take("<(") || scanner.take(">(");
  scanner.at = start;
  return found;
}

/** Devices that discard what is written, return it to the caller, or are empty to read. */
const isStandardStream = ({ text, dynamic }: ShellWord): boolean =>
  !dynamic && ["/dev/null", "/dev/stdout", "/dev/stderr"].includes(text);

function unclosed(): never {
  throw new OpaqueScript("a quote is not closed");
}
