import { COMMON, type Notes } from "./field-notes.ts";

/** Gives each field its note, and remembers what is missing and what was never asked for. */
export class NoteBook {
  readonly #notes: Notes;
  readonly #more: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly #unused: Set<string>;
  readonly #faults: string[] = [];

  /** `more` are notes of another page, so that not all of them are used here. Lists in their keys have no `[]`. */
  constructor(notes: Notes, more: ReadonlyMap<string, Readonly<Record<string, string>>>) {
    this.#notes = notes;
    this.#more = more;
    this.#unused = new Set(
      Object.entries(notes).flatMap(([name, texts]) => Object.keys(texts).map((keys) => `${name}.${keys}`)),
    );
  }

  /** The note of a field; what is common to fields of that name where it has none of its own. */
  take(name: string, keys: string): string {
    this.#unused.delete(`${name}.${keys}`);
    const last = keys.split(".").at(-1) ?? "";
    const note = this.#notes[name]?.[keys] ?? this.#more.get(name)?.[keys.replaceAll("[]", "")] ?? COMMON[last];
    if (note === undefined)
      this.#faults.push(`${name}.${keys} has no note; write one into scripts/docs/field-notes.ts`);
    return note ?? "";
  }

  /** Checks that just these codes have a text. */
  has(texts: Readonly<Record<string, unknown>>, codes: readonly string[], what: string): void {
    for (const code of codes)
      if (!(code in texts)) this.#faults.push(`the ${what} ${code} has no note in scripts/docs`);
    if (what === "status reason") return;
    for (const code of Object.keys(texts)) {
      if (!codes.includes(code)) this.#faults.push(`there is no ${what} ${code}; remove its note in scripts/docs`);
    }
  }

  /** @throws Error that lists every field without a note, and every note without a field. */
  close(): void {
    for (const key of this.#unused) this.#faults.push(`there is no ${key}; remove it from scripts/docs/field-notes.ts`);
    if (this.#faults.length > 0) throw new Error(`${this.#faults.join("; ")}.`);
  }
}
