import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Documents, OpenDocument } from "./documents.ts";
import type { EditLog, FileEdit } from "./edit-log.ts";

/** An editor's open files, for tests. */
export class OpenFiles implements Documents {
  readonly #open = new Map<string, OpenDocument>();
  /** Format on save. */
  format: (text: string) => string = (text) => text;
  canSave = true;
  /** Called right before a change is applied, when the user may be typing. */
  beforeWrite: () => void = () => {};

  /** Opens a file. */
  open(path: string): void {
    this.#open.set(path, {
      uri: pathToFileURL(path).href,
      text: readFileSync(path, "utf8"),
      version: 1,
      isDirty: false,
    });
  }

  type(path: string, text: string): void {
    const { uri, version } = this.#document(path);
    this.#open.set(path, { uri, text, version: version + 1, isDirty: true });
  }

  save(path: string): void {
    const document = this.#document(path);
    const text = this.format(document.text);
    writeFileSync(path, text);
    this.#open.set(path, { ...document, text, isDirty: false });
  }

  textOf(path: string): string {
    return this.#document(path).text;
  }

  async read(path: string): Promise<OpenDocument | undefined> {
    return this.#open.get(path);
  }

  async write(document: OpenDocument, text: string): Promise<boolean> {
    this.beforeWrite();
    const [path = ""] = [...this.#open].find(([, { uri }]) => uri === document.uri) ?? [];
    if (this.#document(path).version !== document.version) return false;
    this.type(path, text);
    if (!document.isDirty && this.canSave) this.save(path);
    return true;
  }

  #document(path: string): OpenDocument {
    const document = this.#open.get(path);
    if (document === undefined) throw new Error(`${path} is not open.`);
    return document;
  }
}

/** Records edits as `shown: before -> after`, and how they ended. */
export class Notebook implements EditLog {
  readonly lines: string[] = [];

  async plan(_origin: unknown, { shown, before, after }: FileEdit) {
    this.lines.push(`${shown}: ${textOf(before)} -> ${textOf(after)}`);
    return {
      appliedAs: async (made: Buffer | null) => void this.lines.push(`made as ${textOf(made)}`),
      failed: async () => void this.lines.push("not made"),
    };
  }
}

const textOf = (bytes: Buffer | null): string => (bytes === null ? "none" : JSON.stringify(bytes.toString()));
