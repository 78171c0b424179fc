import { COMMON_FIELD_NOTES } from "./field-notes.ts";
import type { Notes } from "./notes.ts";

/** Looks up the note of each field, and records fields without a note and notes that no field uses. */
export class NoteBook {
  readonly #notes: Notes;
  readonly #more: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly #unused: Set<string>;
  readonly #faults: string[] = [];

  /** `more` are notes of another page, so that not all of them are used here. Their keys have no `[]` for lists. */
  constructor(notes: Notes, more: ReadonlyMap<string, Readonly<Record<string, string>>>) {
    this.#notes = notes;
    this.#more = more;
    this.#unused = new Set(
      Object.entries(notes).flatMap(([name, texts]) => Object.keys(texts).map((keys) => `${name}.${keys}`)),
    );
  }

  /** The note of a field, else the common note of fields with that name. */
  take(name: string, keys: string): string {
    this.#unused.delete(`${name}.${keys}`);
    const last = keys.split(".").at(-1) ?? "";
    const note =
      this.#notes[name]?.[keys] ?? this.#more.get(name)?.[keys.replaceAll("[]", "")] ?? COMMON_FIELD_NOTES[last];
    if (note === undefined) this.#faults.push(`${name}.${keys} has no note; write one in scripts/docs/notes`);
    return note ?? "";
  }

  /** Records codes without a text, and texts without a code. */
  checkCodes(texts: Readonly<Record<string, unknown>>, codes: readonly string[], what: string): void {
    this.requireCodes(texts, codes, what);
    for (const code of Object.keys(texts)) {
      if (codes.includes(code)) continue;
      this.#faults.push(`there is no ${what} ${code}; remove its note from scripts/docs/notes`);
    }
  }

  /** Records codes without a text. */
  requireCodes(texts: Readonly<Record<string, unknown>>, codes: readonly string[], what: string): void {
    for (const code of codes) {
      if (!(code in texts)) this.#faults.push(`the ${what} ${code} has no note; write one in scripts/docs/notes`);
    }
  }

  /** @throws Error that lists every field without a note, and every note without a field. */
  close(): void {
    for (const key of this.#unused) this.#faults.push(`there is no ${key}; remove its note from scripts/docs/notes`);
    if (this.#faults.length > 0) throw new Error(`${this.#faults.join("; ")}.`);
  }
}
