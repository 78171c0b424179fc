import { SessionFolder } from "../session/session-folder.ts";
import { decodeText, encodeText, encodingForNew } from "../text/text-encoding.ts";
import { locateAny, type Workspace, type WorkspacePath } from "../workspace/workspace.ts";
import { removeFile, writeAtomically } from "./atomic-write.ts";
import { type DiskFile, MAX_BYTES, readDiskFile, tooLargeError } from "./disk-file.ts";
import { type Documents, noDocuments, type OpenDocument } from "./documents.ts";
import { type EditLog, type FileEdit, noEditLog, type PlannedEdit } from "./edit-log.ts";
import { assertNoGitData } from "./git-data.ts";
import { PathQueue } from "./path-queue.ts";

/**
 * What edits use from the host. Without `documents` no file is open in an editor; without `log` no edit can be undone. The
 * session has notes of temporary files.
 */
export interface FileEditorOptions {
  readonly documents?: Documents;
  readonly log?: EditLog;
  readonly session?: SessionFolder;
}

/** A file by its absolute path, with the name for it that the user knows: errors and the record of the change have it. */
export interface NamedFile {
  readonly path: string;
  readonly shown: string;
  /** The permission bits that it gets if it is created. */
  readonly mode?: number | undefined;
}

/** A file and its content, including unsaved changes; `null` when it does not exist. */
export interface FileState {
  readonly place: WorkspacePath;
  readonly bytes: Buffer | null;
  /** The permission bits of the file on disk, if there is one. */
  readonly mode?: number | undefined;
}

/** A change that was made; `before` and `after` are equal when nothing changed. */
export interface RewrittenFile {
  readonly place: WorkspacePath;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** The change is in the editor, and not in the file until the user saves. */
  readonly isUnsaved: boolean;
}

/** The file, and the editor's document where that is to be changed. */
interface FoundFile extends FileState {
  readonly disk: DiskFile | undefined;
  readonly document: OpenDocument | undefined;
}

/**
 * Changes files of the workspace, one change per file at a time. Unsaved changes count as the file's content and are
 * kept: such a file is changed in the editor. Files outside the workspace and Git's own data are never changed.
 */
export class FileEditor {
  readonly log: EditLog;
  readonly #workspace: Workspace;
  readonly #documents: Documents;
  readonly #session: SessionFolder;
  readonly #queue = new PathQueue();

  constructor(workspace: Workspace, options: FileEditorOptions = {}) {
    const { documents = noDocuments, log = noEditLog, session = new SessionFolder() } = options;
    this.#workspace = workspace;
    this.#documents = documents;
    this.log = log;
    this.#session = session;
  }

  /** The existing or new file at `path`. @throws Error when it cannot be edited. */
  async read(file: string | NamedFile): Promise<FileState> {
    return this.#find(await this.#locate(file));
  }

  /**
   * Changes a file to what `decide` returns: `null` deletes it, `undefined` leaves it unchanged. `plan` records the
   * change before it is made. An abort has an effect until then; a change that has started is completed.
   * @throws what `decide` and `plan` throw; Error in one sentence when the change cannot be made, with the file
   * unchanged.
   */
  async rewrite(
    file: string | NamedFile,
    decide: (file: FileState) => Buffer | null | undefined | Promise<Buffer | null | undefined>,
    plan: (edit: FileEdit) => Promise<PlannedEdit>,
    signal?: AbortSignal,
  ): Promise<RewrittenFile> {
    const place = await this.#locate(file);
    const mode = typeof file === "string" ? undefined : file.mode;
    return this.#queue.run(place.path, async () => {
      const found = await this.#find(place, signal);
      const { bytes } = found;
      const next = await decide(found);
      if (next === undefined || isSame(bytes, next)) return { place, before: bytes, after: bytes, isUnsaved: false };
      if (next !== null && next.length > MAX_BYTES) throw tooLargeError(place);
      signal?.throwIfAborted();
      const planned = await plan({ path: place.path, shown: place.shown, before: bytes, after: next });
      const written = await this.#writePlanned({ ...found, mode: mode ?? found.mode }, next, planned, signal);
      if (!isSame(written.after, next)) await planned.appliedAs(written.after);
      return { place, before: bytes, ...written };
    });
  }

  /** The existing or new file at `path`. @throws Error when it cannot be edited. */
  async locate(path: string): Promise<WorkspacePath> {
    const place = await locateAny(this.#workspace, path);
    assertNoGitData(place);
    return place;
  }

  async #locate(file: string | NamedFile): Promise<WorkspacePath> {
    return typeof file === "string" ? this.locate(file) : { ...(await this.locate(file.path)), shown: file.shown };
  }

  async #find(place: WorkspacePath, signal?: AbortSignal): Promise<FoundFile> {
    const disk = await readDiskFile(place);
    const saved = disk?.bytes ?? null;
    const document = await this.#documents.read(place.path, signal);
    const found = { place, disk, mode: disk?.mode };
    if (document === undefined) return { ...found, bytes: saved, document };
    if (document.isDirty) return { ...found, bytes: bytesOf(document, saved, place), document };
    // An editor that has not seen a change of the file yet is notified by the system and reloads it.
    const agrees = saved !== null && isSameText(decodeText(saved, place.shown).text, document.text);
    return { ...found, bytes: saved, document: agrees ? document : undefined };
  }

  async #writePlanned(file: FoundFile, next: Buffer | null, planned: PlannedEdit, signal: AbortSignal | undefined) {
    try {
      signal?.throwIfAborted();
      return await this.#write(file, next);
    } catch (error) {
      // What made the edit fail matters more than a plan that stays.
      await planned.failed().catch(() => {});
      throw error;
    }
  }

  async #write(file: FoundFile, next: Buffer | null): Promise<Pick<RewrittenFile, "after" | "isUnsaved">> {
    const { place, disk, document, mode } = file;
    if (next !== null && document !== undefined) return this.#writeDocument(file, document, next);
    if (document?.isDirty) throw new Error(`"${place.shown}" has unsaved changes in the editor; save or revert it.`);
    if (next !== null) await writeAtomically(place, disk, next, this.#session, mode);
    else if (disk !== undefined) await removeFile(place, disk);
    return { after: next, isUnsaved: false };
  }

  async #writeDocument({ place, disk }: FoundFile, document: OpenDocument, next: Buffer) {
    const taken = await this.#documents.write(document, decodeText(next, place.shown).text);
    if (!taken)
      throw new Error(`"${place.shown}" was changed in the editor just now, and was not edited; read it again.`);
    const now = await this.#documents.read(place.path);
    if (now?.isDirty) return { after: bytesOf(now, disk?.bytes ?? null, place), isUnsaved: true };
    return { after: (await readDiskFile(place))?.bytes ?? null, isUnsaved: false };
  }
}

/** The bytes that the editor would save, in the file's encoding. */
function bytesOf({ text }: OpenDocument, saved: Buffer | null, place: WorkspacePath): Buffer {
  const encoding = saved === null ? encodingForNew(text) : decodeText(saved, place.shown).encoding;
  return encodeText({ text, encoding });
}

/** Ignores line endings: an editor uses one kind for the whole document. */
function isSameText(saved: string, open: string): boolean {
  return saved.replaceAll("\r\n", "\n") === open.replaceAll("\r\n", "\n");
}

function isSame(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
