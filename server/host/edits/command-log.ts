import type { ChangedFile, EditOrigin, FileEditor } from "../../tools/index.ts";
import type { CommandChanges } from "../store/records/command-changes.ts";
import { type EditJournal, hashOf } from "../store/records/edit-journal.ts";
import { idsOfTeamsAround } from "./turn-edit-log.ts";

/** The longest beginning of a command that is stored with what it changed. */
const MAX_COMMAND = 200;
/** The most files of one command that are listed. */
const MAX_FILES = 200;

/** Notes the files that changed while a command ran, but for those that an edit of the team left as they are. */
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
    const last = new Map(this.#journal.edits(key).map(({ path, after }) => [path, after]));
    const changed: ChangedFile[] = [];
    for (const file of files.slice(0, MAX_FILES)) {
      const after = last.get(file.path);
      if (after === undefined || (await this.#hash(file.path)) !== after) changed.push(file);
    }
    const at = new Date().toISOString();
    const shown = command.slice(0, MAX_COMMAND);
    await this.#changes.add(
      key,
      changed.map((file) => ({ ...file, participant, ref, command: shown, at })),
    );
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
