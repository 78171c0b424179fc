import type { RandomInt } from "./random.ts";

/** Commands with and without an allow rule in a test. */
export interface ShellVocabulary {
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
  /** Targets of redirections, allowed or not. */
  readonly files: readonly string[];
}

/** How deeply compound commands are nested. */
const MAX_DEPTH = 3;

/** Fragments with a special meaning to shells, for random lines and for mutations. */
const FRAGMENTS = [
  ..."'\"`\\;&|<>(){}#$ \n\t=!~*?[].,:-",
  ...[
    "$(",
    "${",
    "$((",
    "$'",
    '$"',
    "<(",
    ">(",
    "<<",
    "<<E\n",
    "&&",
    "||",
    "|&",
    "&>",
    ">&",
    ";;",
    "\\\n",
    "\\`",
    '\\"',
    "\\\\",
  ],
  ...["2>&1", "2>", ">/dev/null", "</dev/null", "# ", " #", "{ ", "; }", " ! ", "( ", " )", "[[ ", "]] ", "in "],
  ...[
    "then ",
    "fi",
    "do ",
    "done",
    "esac",
    "function f",
    "f()",
    "time ",
    "exec ",
    "eval ",
    "trap ",
    "$X",
    "FOO=1 ",
    "FOO=2 ",
  ],
];

/** Commands that run the command after them. */
const WRAPPERS = [
  ...["env", "env FOO=1", "env FOO=2", "env -i", "nohup", "nice", "nice -n 1", "timeout 9", "timeout -k 1 9", "setsid"],
  ...["time", "command", "exec", "builtin", "xargs", "xargs -n 1", "xargs -I x", "sudo", "sudo -u me", "/usr/bin/env"],
];

/**
 * Draws command lines for a POSIX shell: from a grammar of commands, compound commands, quotes, expansions and redirections,
 * some of them mutated; and some made only of random fragments.
 */
export class ShellLines {
  readonly #draw: RandomInt;
  readonly #words: ShellVocabulary;

  constructor(draw: RandomInt, words: ShellVocabulary) {
    this.#draw = draw;
    this.#words = words;
  }

  next(): string {
    const kind = this.#draw(10);
    if (kind === 0) return this.#soup();
    const line = this.#list(0);
    return kind < 6 ? line : this.#mutated(line);
  }

  #soup(): string {
    const { allowed, forbidden } = this.#words;
    return this.#several(2, 9, () =>
      this.#one([this.#one(allowed), this.#one(forbidden), this.#fragment(), this.#fragment()]),
    ).join("");
  }

  /** The line with a few fragments inserted, and a few characters removed. */
  #mutated(line: string): string {
    let text = line;
    for (let count = 1 + this.#draw(3); count > 0; count--) {
      const at = this.#draw(text.length + 1);
      text = text.slice(0, at) + (this.#chance(3) ? "" : this.#fragment()) + text.slice(at + (this.#chance(3) ? 1 : 0));
    }
    return text;
  }

  #list(depth: number): string {
    const parts = this.#several(1, depth === 0 ? 4 : 2, () => this.#command(depth));
    return parts.reduce((line, part) => line + this.#separator() + part);
  }

  #separator(): string {
    const separators = [
      "; ",
      " && ",
      " || ",
      " | ",
      " & ",
      "\n",
      " ;\\\n",
      " |\n",
      " # it's\n",
      ` # ${this.#forbidden()}\n`,
      "|",
      "&&",
    ];
    return this.#one(separators);
  }

  #command(depth: number): string {
    if (depth < MAX_DEPTH && this.#chance(4)) return this.#compound(depth + 1);
    const command = this.#chance(5) ? this.#forbidden() : this.#one(this.#words.allowed);
    const words = [...this.#disguised(command), ...this.#several(0, 2, () => this.#argument(depth + 1))];
    const wrapper = this.#chance(4) ? [this.#one(WRAPPERS)] : [];
    const assignment = this.#chance(9) ? [this.#one(["FOO=1", "FOO=2", "FOO='1'", "F=$(true)"])] : [];
    const line = [...assignment, ...wrapper, ...words];
    if (this.#chance(3)) line.splice(this.#draw(line.length + 1), 0, this.#redirection());
    return this.#chance(8) ? this.#inShell(line.join(" ")) : line.join(" ");
  }

  #compound(depth: number): string {
    const list = () => this.#list(depth);
    const compound: readonly (() => string)[] = [
      () => `(${list()})`,
      () => `( ${list()} )`,
      () => `{ ${list()}; }`,
      () => `if ${list()}; then ${list()}; fi`,
      () => `if ${list()}; then ${list()}; else ${list()}; fi`,
      () => `! ${list()}`,
      () => `while false; do ${list()}; done`,
      () => `for x in a; do ${list()}; done`,
      () => `case a in a) ${list()};; esac`,
      () => `f() { ${list()}; }; f`,
      () => `cat <<E\n${list()}\nE\n`,
      () => `find . -exec ${list()} {} \\;`,
      () => `find . -execdir sh -c '${list()}' ";"`,
      () => `(${list()}) ${this.#redirection()}`,
      () => `{ ${list()}; } ${this.#redirection()}`,
    ];
    return this.#one(compound)();
  }

  #inShell(line: string): string {
    const shell = this.#one(["sh", "bash", "/bin/sh", "sh -e", "sh -"]);
    return this.#chance(2)
      ? `${shell} -c '${line.replaceAll("'", "'\\''")}'`
      : `${shell} -c "${line.replace(/["\\$`]/g, "\\$&")}"`;
  }

  #redirection(): string {
    const file = this.#one(["/dev/null", "/dev/null", ...this.#words.files]);
    return this.#one([">", ">>", "2>", "<", ">|", "> ", "2>&1 >", "&>", "<>", ">&"]) + this.#disguised(file).join("");
  }

  /** The words of a command, with some of their characters quoted. */
  #disguised(command: string): string[] {
    return command
      .split(" ")
      .map((word) => [...word].map((char) => (this.#chance(25) ? this.#quoted(char) : char)).join(""));
  }

  #quoted(char: string): string {
    return this.#one([`'${char}'`, `"${char}"`, `\\${char}`, `\\\n${char}`, `''${char}`, `${char}""`]);
  }

  #argument(depth: number): string {
    const list = () => (depth < MAX_DEPTH ? this.#list(depth) : this.#one(this.#words.allowed));
    const argument: readonly (() => string)[] = [
      () => "x",
      () => `'${list().replaceAll("'", "")}'`,
      () => `"${list().replace(/["\\$`]/g, "\\$&")}"`,
      () => `"${list()}"`,
      () => `$(${list()})`,
      () => `"$(${list()})"`,
      () => `\`${list()}\``,
      () => `"\`${list()}\`"`,
      () => `\`${list().replace(/[\\$`]/g, "\\$&")}\``,
      () => `<(${list()})`,
      () => `$'${list()}'`,
      () => `\${X:-${list()}}`,
      () => `$((1 + $(${list()})))`,
      () => `#${list()}`,
      () =>
        this.#one([
          "$X",
          '"$X"',
          "*",
          "~",
          "a{b,c}",
          "a\\;b",
          "\\",
          "$",
          "$$",
          "2",
          "-c",
          "-exec",
          "'\"'",
          `"'"`,
          "\\'",
          '\\"',
          '"$"',
          "''",
        ]),
    ];
    return this.#one(argument)();
  }

  #forbidden(): string {
    return this.#one(this.#words.forbidden);
  }

  #fragment(): string {
    return this.#one(FRAGMENTS);
  }

  #several<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: least + this.#draw(most - least + 1) }, make);
  }

  #one<T>(choices: readonly T[]): T {
    const choice = choices[this.#draw(choices.length)];
    if (choice === undefined) throw new Error("There is nothing to choose from.");
    return choice;
  }

  /** True once in `n` times. */
  #chance(n: number): boolean {
    return this.#draw(n) === 0;
  }
}
