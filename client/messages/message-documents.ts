import type { Disposable, FileChangeEvent, FileStat, FileSystemProvider } from "vscode";
import { EventEmitter, FileChangeType, FileSystemError, FileType, Uri, window, workspace } from "vscode";
import { messageOf } from "../../shared/contract/errors.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { Disposables } from "../disposables.ts";
import type { OpenTeams } from "../open-teams/open-teams.ts";
import type { TeamActions } from "../session/team-actions.ts";
import { addressIn, addressPath, type MessageAddress, textAt } from "./message-address.ts";
import { ResultEditors } from "./result-editors.ts";

/** Also in package.json (`onFileSystem`), so that open tabs are restored after a reload. */
const SCHEME = "gavel-message";

/** The events that change a text that may be open in an editor. */
const CHANGES: ReadonlySet<TeamEvent["type"]> = new Set([
  "message/edited",
  "message/dropped",
  "userMessage/edited",
  "userMessage/withdrawn",
  "userMessage/delivered",
  "tool/executed",
  "team/reset",
  "state/loaded",
]);

/**
 * Messages of the open teams as documents: read from their states, and saved by a request. There is no other copy, so an
 * editor shows its team's text, and saving fails if the message no longer exists.
 */
export class MessageDocuments implements Disposable, FileSystemProvider {
  readonly #teams: OpenTeams;
  readonly #actions: (teamId: string) => TeamActions;
  readonly #restored: () => Promise<void>;
  readonly #own = new Disposables();
  readonly #results = this.#own.add(new ResultEditors());
  readonly #changed = this.#own.add(new EventEmitter<FileChangeEvent[]>());
  readonly #saved = this.#own.add(new EventEmitter<MessageAddress>());
  readonly onDidChangeFile = this.#changed.event;
  /** Fires when the user has saved a text. */
  readonly onSaved = this.#saved.event;

  /** @param restored resolves when the window's teams have been restored. */
  constructor(teams: OpenTeams, actions: (teamId: string) => TeamActions, restored: () => Promise<void>) {
    this.#teams = teams;
    this.#actions = actions;
    this.#restored = restored;
    this.#own.add(workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true }));
    this.#own.add(teams.onEvents(({ session, events }) => this.#tookEvents(session.state?.teamId, events)));
    this.#own.add(teams.onShown(() => this.#fireChanged()));
    this.#own.add(teams.onChanged(() => this.#fireChanged()));
  }

  /** Opens a text in an editor; `name` is the title of its tab. */
  async open(address: MessageAddress, name: string): Promise<void> {
    const uri = Uri.from({ scheme: SCHEME, path: addressPath(address, name) });
    await window.showTextDocument(uri, { preview: false });
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    return new TextEncoder().encode(await this.#text(uri));
  }

  /** The last event's `seq` serves as the time, as it grows with every change. */
  async stat(uri: Uri): Promise<FileStat> {
    const { length } = await this.readFile(uri);
    const address = addressIn(uri.path);
    const state = address && this.#teams.find(address.teamId)?.state;
    return { type: FileType.File, ctime: 0, mtime: state?.lastSeq ?? 0, size: length };
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    await this.#text(uri);
    const address = addressIn(uri.path);
    if (address === undefined) throw FileSystemError.FileNotFound(uri);
    const text = new TextDecoder().decode(content);
    try {
      if (address.kind === "result") await this.#results.sending(uri, text, () => this.write(address, text));
      else await this.write(address, text);
    } catch (error) {
      throw FileSystemError.Unavailable(messageOf(error));
    }
    this.#saved.fire(address);
  }

  /** Saves a text. @throws Error when it is empty or no longer exists, or while the team is running. */
  async write(address: MessageAddress, text: string): Promise<void> {
    if (address.kind === "result") return this.#actions(address.teamId).sendEditedResult(address.id, text);
    if (text.trim() === "") throw new Error("A message cannot be empty. To remove it, drop or withdraw it.");
    const actions = this.#actions(address.teamId);
    if (address.kind === "partial") return actions.editMessage(address.id, text);
    const message = actions.team.queued.find(({ id }) => id === address.id);
    const messages = (message?.messages ?? []).map((each, index) => (index === address.index ? text : each));
    await actions.changeQueue({ edit: { id: address.id, messages } });
  }

  /** Changes are reported for all open documents, watched or not. */
  watch(): Disposable {
    return new Disposables();
  }

  readDirectory(uri: Uri): never {
    throw FileSystemError.FileNotFound(uri);
  }

  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#own.dispose();
  }

  async #text(uri: Uri): Promise<string> {
    await this.#restored();
    const text = this.#textOf(uri);
    if (text === undefined) throw FileSystemError.FileNotFound(uri);
    return text;
  }

  #textOf(uri: Uri): string | undefined {
    const address = addressIn(uri.path);
    const text = address === undefined ? undefined : textAt(address, this.#teams.find(address.teamId)?.state);
    return text ?? this.#results.sentText(uri);
  }

  #tookEvents(teamId: string | undefined, events: readonly TeamEvent[]): void {
    if (!events.some(({ type }) => CHANGES.has(type))) return;
    void this.#results.closeDecided((uri) => {
      const address = uri.scheme === SCHEME ? addressIn(uri.path) : undefined;
      return address?.kind === "result" && address.teamId === teamId && this.#textOf(uri) === undefined;
    });
    this.#fireChanged();
  }

  #fireChanged(): void {
    const open = workspace.textDocuments.filter(({ uri }) => uri.scheme === SCHEME);
    this.#changed.fire(
      open.map(({ uri }) => {
        const isGone = this.#textOf(uri) === undefined;
        return { uri, type: isGone ? FileChangeType.Deleted : FileChangeType.Changed };
      }),
    );
  }
}
