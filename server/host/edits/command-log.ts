import type { ChangedFile, EditOrigin, FileEditor } from "../../tools/index.ts";
import type { CommandChange, CommandChanges } from "../store/records/command-changes.ts";
import { type EditJournal, hashOf } from "../store/records/edit-journal.ts";
import { fileText } from "./merge/file-text.ts";
import { idsOfTeamsAround } from "./turn-edit-log.ts";

/** The longest beginning of a command that is stored with what it changed. */
const MAX_COMMAND = 200;
/** The most files of one command that are listed. */
const MAX_FILES = 200;

/** The largest moved file whose content is stored, and the most of one command, in bytes. */
const MAX_CONTENT = 1024 * 1024;
const MAX_CONTENTS = 4 * MAX_CONTENT;

/**
 * Notes the files that changed while a command ran, but for those that an edit of the team left as they are. The edits of a
 * file that was moved go with it.
 */
export class CommandLog {
  readonly #journal: EditJournal;
  readonly #changes: CommandChanges;
  readonly #editor: Pick<FileEditor, "read">;
  readonly #key: (teamId: string) => Promise<number | undefined>;

  /** `key` returns the store's number of a root team; undefined for another id. */
  constructor(
    records: { readonly edits: EditJournal; readonly commandChanges: CommandChanges },
    editor: Pick<FileEditor, "read">,
    key: (teamId: string) => Promise<number | undefined>,
  ) {
    this.#journal = records.edits;
    this.#changes = records.commandChanges;
    this.#editor = editor;
    this.#key = key;
  }

  /** @throws GavelError `StorageError`. */
  async add({ teamId, participant, ref }: EditOrigin, command: string, files: readonly ChangedFile[]): Promise<void> {
    const key = await this.#root(teamId);
    if (key === undefined || files.length === 0) return;
    await this.#journal.moved(
      files.flatMap(({ from, path, shown }) => (from === undefined ? [] : { from: from.path, path, shown })),
    );
    const last = new Map((await this.#journal.edits(key)).map(({ path, after }) => [path, after]));
    const call = { participant, ref, command: command.slice(0, MAX_COMMAND), at: new Date().toISOString() };
    const earlier = new Map((await this.#changes.all(key)).map((change) => [change.path, change]));
    const changes: CommandChange[] = [];
    const contents: Buffer[] = [];
    const replaced: string[] = [];
    for (const { path, shown, change, from } of files.slice(0, MAX_FILES)) {
      const file = { ...call, path, shown, change };
      if (from === undefined) {
        const after = last.get(path);
        if (after === undefined || (await this.#hash(path)) !== after) changes.push(file);
        continue;
      }
      replaced.push(from.path);
      const before = earlier.get(from.path);
      const origin = before?.change === "created" ? originOf(before) : await this.#originAt(from.shown, path, contents);
      // A file that is moved back has not changed.
      if (origin.from !== shown) changes.push({ ...file, ...origin });
    }
    await this.#changes.add(key, changes, replaced, contents);
  }

  /** Adds the content of a file that was moved to `path` to `contents`, if it is a text and not too large. */
  async #originAt(from: string, path: string, contents: Buffer[]): Promise<Origin> {
    const left = MAX_CONTENTS - contents.reduce((sum, { length }) => sum + length, 0);
    const bytes = (await this.#editor.read(path).catch(() => undefined))?.bytes ?? null;
    const content = hashOf(bytes);
    if (bytes === null || content === null || bytes.length > Math.min(MAX_CONTENT, left)) return { from };
    if (fileText(bytes)?.encoding === "none") return { from };
    contents.push(bytes);
    return { from, content };
  }

  async #root(teamId: string): Promise<number | undefined> {
    for (const id of idsOfTeamsAround(teamId)) {
      const key = await this.#key(id);
      if (key !== undefined) return key;
    }
    return undefined;
  }

  /** Undefined for a file that cannot be read. */
  async #hash(path: string): Promise<string | null | undefined> {
    const found = await this.#editor.read(path).catch(() => undefined);
    return found === undefined ? undefined : hashOf(found.bytes);
  }
}

/** Where a file was before it was moved first, and what was in it; neither for one that a command made. */
type Origin = Pick<CommandChange, "from" | "content">;

const originOf = ({ from, content }: CommandChange): Origin => ({
  ...(from === undefined ? {} : { from }),
  ...(content === undefined ? {} : { content }),
});
