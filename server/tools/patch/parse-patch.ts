/** What a patch does to one file. */
export type FilePatch =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  /** With `to`, it is moved there; then there may be no hunks. */
  | { readonly kind: "update"; readonly path: string; readonly to?: string; readonly hunks: readonly Hunk[] };

/** A change of some lines that follow each other in a file. */
export interface Hunk {
  /** Lines that come before it, one after the other, such as the class and the method that it is in. */
  readonly anchors: readonly string[];
  readonly lines: readonly HunkLine[];
  /** It is at the file's end. */
  readonly atEnd: boolean;
}

interface HunkLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** What a patch may change. Its author is a model, and each file and change takes time. */
const MAX_FILES = 50;
const MAX_CHANGES = 1000;

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const AT_END = "*** End of File";
const MOVE = /^\*\*\* Move to: (?<to>.+)$/;
const FILE = /^\*\*\* (?<action>Add|Delete|Update) File: (?<path>.+)$/;

/**
 * A patch in the format that OpenAI's models write (V4A): `*** Begin Patch`, then for each file its name and what changes in
 * it, by lines around the change in place of line numbers.
 * @throws Error in a sentence that names the first line that is not understood, counted from 1.
 */
export function parsePatch(text: string): readonly FilePatch[] {
  const lines = withoutFence(text.replaceAll("\r\n", "\n").trim()).split("\n");
  const first = lines.findIndex((line) => line.trim() === BEGIN);
  const last = lines.findLastIndex((line) => line.trim() === END);
  if (first === -1) throw new Error(`The patch does not begin with "${BEGIN}".`);
  if (last < first) throw new Error(`The patch does not end with "${END}".`);
  return new PatchReader(lines.slice(0, last), first + 1).read();
}

/** Some models put a patch into a block of code, or into a call of a program. */
function withoutFence(text: string): string {
  const [, inner] = /^```[^\n]*\n([\s\S]*)\n```$/.exec(text) ?? [];
  return inner ?? text;
}

class PatchReader {
  readonly #lines: readonly string[];
  /** For each line, whether it and those after it are empty up to the next file, or to the end. */
  readonly #isGap: readonly boolean[];
  #at: number;
  #changes = 0;

  constructor(lines: readonly string[], at: number) {
    this.#lines = lines;
    this.#at = at;
    let isFileNext = true;
    this.#isGap = lines
      .toReversed()
      .map((line) => {
        const isEmpty = line.trim() === "";
        if (!isEmpty) isFileNext = FILE.test(line);
        return isEmpty && isFileNext;
      })
      .reverse();
  }

  read(): readonly FilePatch[] {
    const files = new Map<string, FilePatch>();
    while (this.#line !== undefined) {
      if (this.#line.trim() === "") {
        this.#at++;
        continue;
      }
      const file = this.#file();
      if (files.has(file.path))
        throw new Error(`The patch has two parts for "${file.path}"; put all its changes into one.`);
      files.set(file.path, file);
      if (files.size > MAX_FILES) throw new Error(`The patch changes more than ${MAX_FILES} files; split it.`);
    }
    if (files.size === 0) throw new Error("The patch changes no file.");
    return [...files.values()];
  }

  get #line(): string | undefined {
    return this.#lines[this.#at];
  }

  #file(): FilePatch {
    const { action, path = "" } = FILE.exec(this.#line?.trimEnd() ?? "")?.groups ?? {};
    if (action === undefined) throw this.#unexpected('a line such as "*** Update File: PATH"');
    this.#at++;
    if (action === "Delete") return { kind: "delete", path };
    if (action === "Add") return { kind: "add", path, text: this.#added() };
    const { to } = MOVE.exec(this.#line?.trimEnd() ?? "")?.groups ?? {};
    if (to !== undefined) this.#at++;
    const hunks = this.#hunks();
    if (to !== undefined) return { kind: "update", path, to, hunks };
    if (hunks.length === 0) throw new Error(`The patch says nothing of what changes in "${path}".`);
    return { kind: "update", path, hunks };
  }

  #added(): string {
    const lines: string[] = [];
    for (; this.#line?.startsWith("+"); this.#at++) lines.push(this.#line.slice(1));
    if (this.#line !== undefined && this.#line.trim() !== "" && !this.#line.startsWith("*** "))
      throw this.#unexpected('a "+" before each line of a new file');
    return lines.map((line) => `${line}\n`).join("");
  }

  #hunks(): readonly Hunk[] {
    const hunks: Hunk[] = [];
    while (this.#line !== undefined && !FILE.test(this.#line)) {
      if (this.#isGap[this.#at]) this.#at++;
      else hunks.push(this.#hunk(hunks.length === 0));
    }
    return hunks;
  }

  #hunk(isFirst: boolean): Hunk {
    const anchors: string[] = [];
    let marked = false;
    if (++this.#changes > MAX_CHANGES) throw new Error(`The patch has more than ${MAX_CHANGES} changes; split it.`);
    for (; this.#line?.startsWith("@@"); this.#at++) {
      marked = true;
      const anchor = anchorOf(this.#line);
      if (anchor !== "") anchors.push(anchor);
    }
    // Only the first change of a file may come without its mark.
    if (!marked && !isFirst) throw this.#unexpected('"@@" before the next change');
    const lines: HunkLine[] = [];
    for (; this.#line !== undefined && !this.#endsHunk(); this.#at++) lines.push(this.#hunkLine(this.#line));
    const atEnd = this.#line?.trimEnd() === AT_END;
    if (atEnd) this.#at++;
    if (!lines.some(({ kind }) => kind !== "same")) throw this.#unexpected('a line that starts with "+" or "-"');
    return { anchors, lines, atEnd };
  }

  #endsHunk(): boolean {
    const line = this.#line ?? "";
    return line.startsWith("@@") || line.startsWith("*** ") || this.#isGap[this.#at] === true;
  }

  #hunkLine(line: string): HunkLine {
    if (line === "") return { kind: "same", text: "" };
    const kind = KINDS[line.charAt(0)];
    if (kind === undefined) throw this.#unexpected('a line that starts with " ", "+" or "-"');
    return { kind, text: line.slice(1) };
  }

  #unexpected(wanted: string): Error {
    const line = this.#line;
    const found = line === undefined ? "its end" : `line ${this.#at + 1}, ${JSON.stringify(line.slice(0, 200))}`;
    return new Error(`The patch is not understood at ${found}: ${wanted} is expected there.`);
  }
}

const KINDS: Readonly<Record<string, HunkLine["kind"]>> = { " ": "same", "+": "added", "-": "removed" };

/** What follows `@@`. Line numbers, as of a unified diff, are left out: the lines themselves say where. */
const anchorOf = (line: string): string =>
  line
    .replace(/^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)?/, "")
    .replace(/@@$/, "")
    .trim();
