import { decodeText, encodeText, encodingForNew } from "../text/text-encoding.ts";
import { locate, locateNew, NotFound, type Place, type Workspace } from "../workspace/workspace.ts";
import { removeFile, writeAtomically } from "./atomic-write.ts";
import { type DiskFile, MAX_BYTES, readDiskFile, tooBig } from "./disk-file.ts";
import { type Documents, noDocuments, type OpenDocument } from "./documents.ts";
import { type EditLog, type FileEdit, noEditLog, type PlannedEdit } from "./edit-log.ts";
import { refuseGitData } from "./git-data.ts";
import { PathQueue } from "./path-queue.ts";

/** What edits need from their surroundings. Without them no file is open in an editor, and no edit can be undone. */
export interface FileEditorOptions {
  readonly documents?: Documents;
  readonly log?: EditLog;
}

/** Where a file stands, and what would be in it were it saved now; `null` when there is none. */
export interface FileState {
  readonly place: Place;
  readonly bytes: Buffer | null;
}

/** A change that was made, or was none: `before` and `after` are equal then. */
export interface RewrittenFile {
  readonly place: Place;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** The change stands in the editor, and the file will have it when the user saves. */
  readonly isUnsaved: boolean;
}

/** Both sides: the file, and the editor's document when it is what counts. */
interface FoundFile extends FileState {
  readonly disk: DiskFile | undefined;
  readonly document: OpenDocument | undefined;
}

/**
 * Changes files of the workspace, one change of a file after the other. What a person has typed and not saved counts as the
 * file's content, and is kept: such a file is changed in the editor. Nothing outside the workspace is changed, nor Git's data.
 */
export class FileEditor {
  readonly log: EditLog;
  readonly #workspace: Workspace;
  readonly #documents: Documents;
  readonly #queue = new PathQueue();

  constructor(workspace: Workspace, { documents = noDocuments, log = noEditLog }: FileEditorOptions = {}) {
    this.#workspace = workspace;
    this.#documents = documents;
    this.log = log;
  }

  /** The file that `path` names or would name. @throws Error when it is none that could be edited. */
  async read(path: string): Promise<FileState> {
    return this.#find(await this.#place(path));
  }

  /**
   * Changes one file to what `decide` makes of it: `null` takes it away, `undefined` leaves it. `plan` writes the change down before
   * it is made. An abort counts until then; a change that has begun is brought to its end.
   * @throws what `decide` and `plan` throw; Error in one sentence when the change can not be made, with the file as it was.
   */
  async rewrite(
    path: string,
    decide: (file: FileState) => Buffer | null | undefined,
    plan: (edit: FileEdit) => PlannedEdit,
    signal?: AbortSignal,
  ): Promise<RewrittenFile> {
    const place = await this.#place(path);
    return this.#queue.run(place.path, async () => {
      const file = await this.#find(place, signal);
      const { bytes } = file;
      const next = decide(file);
      if (next === undefined || isSame(bytes, next)) return { place, before: bytes, after: bytes, isUnsaved: false };
      if (next !== null && next.length > MAX_BYTES) throw tooBig(place);
      signal?.throwIfAborted();
      const planned = plan({ path: place.path, shown: place.shown, before: bytes, after: next });
      const written = await this.#write(file, next).catch((error: unknown) => {
        planned.notMade();
        throw error;
      });
      if (!isSame(written.after, next)) planned.madeAs(written.after);
      return { place, before: bytes, ...written };
    });
  }

  async #place(path: string): Promise<Place> {
    const place = await locate(this.#workspace, path).catch((error: unknown) => {
      if (error instanceof NotFound) return locateNew(this.#workspace, path);
      throw error;
    });
    refuseGitData(place);
    return place;
  }

  async #find(place: Place, signal?: AbortSignal): Promise<FoundFile> {
    const disk = await readDiskFile(place);
    const saved = disk?.bytes ?? null;
    const document = await this.#documents.read(place.path, signal);
    if (document === undefined) return { place, disk, bytes: saved, document };
    if (document.isDirty) return { place, disk, bytes: bytesOf(document, saved, place), document };
    // An editor that has not yet seen a change of the file is told of it by the system, and takes it up by itself.
    const agrees = saved !== null && isSameText(decodeText(saved, place.shown).text, document.text);
    return { place, disk, bytes: saved, document: agrees ? document : undefined };
  }

  async #write(file: FoundFile, next: Buffer | null): Promise<Pick<RewrittenFile, "after" | "isUnsaved">> {
    const { place, disk, document } = file;
    if (next !== null && document !== undefined) return this.#writeDocument(file, document, next);
    if (document?.isDirty) throw new Error(`"${place.shown}" has unsaved changes in the editor; save or revert it.`);
    if (next !== null) await writeAtomically(place, disk, next);
    else if (disk !== undefined) await removeFile(place, disk);
    return { after: next, isUnsaved: false };
  }

  async #writeDocument({ place, disk }: FoundFile, document: OpenDocument, next: Buffer) {
    const taken = await this.#documents.write(document, decodeText(next, place.shown).text);
    if (!taken) throw new Error(`"${place.shown}" was changed in the editor just now, and was left so; read it again.`);
    const now = await this.#documents.read(place.path);
    if (now?.isDirty) return { after: bytesOf(now, disk?.bytes ?? null, place), isUnsaved: true };
    return { after: (await readDiskFile(place))?.bytes ?? null, isUnsaved: false };
  }
}

/** What the editor would write, in the file's encoding. */
function bytesOf({ text }: OpenDocument, saved: Buffer | null, place: Place): Buffer {
  const encoding = saved === null ? encodingForNew(text) : decodeText(saved, place.shown).encoding;
  return encodeText({ text, encoding });
}

/** An editor writes all line ends of a document one way. */
function isSameText(saved: string, open: string): boolean {
  return saved.replaceAll("\r\n", "\n") === open.replaceAll("\r\n", "\n");
}

function isSame(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}
