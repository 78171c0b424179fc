import type { Disposable, FileRenameEvent } from "vscode";
import { EventEmitter, Uri, workspace } from "vscode";
import type { ChangedFile, ChangedTurn, CommandChange } from "../../shared/contract/edits.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { EditsChanges, EditsMoved } from "../../shared/contract/requests.ts";
import { Disposables } from "../disposables.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { TeamSource } from "../session/team-source.ts";
import { RepeatedLookup } from "./repeated-lookup.ts";

/** After these a file may be another. */
const CHANGING: ReadonlySet<TeamEvent["type"]> = new Set(["tool/executed", "run/ended", "state/loaded", "team/reset"]);
/** What happens within this time is looked up once, in milliseconds. */
const TOGETHER = 200;

/** The most moves that the host is told at once. */
const MOVES = 1000;

const NONE: readonly string[] = [];

export interface TeamFileChanges {
  readonly teamId: string;
  readonly files: readonly ChangedFile[];
  /** The turns whose lines are among the changes, the last first. */
  readonly turns: readonly ChangedTurn[];
  readonly commands: readonly CommandChange[];
}

/** What a team has changed in files and the user has not kept yet, as the host last told; it follows edits of the files. */
export class ShownChanges implements Disposable {
  readonly #host: HostProcess;
  readonly #source: TeamSource;
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new EventEmitter<undefined>());
  /** Fires when {@link current} has been looked up. */
  readonly onChanged = this.#changed.event;
  #current: TeamFileChanges | undefined;
  #paths: readonly string[] = NONE;
  /** What the user has moved, which the host has not been told yet. */
  readonly #moves: { readonly oldUri: string; readonly newUri: string }[] = [];
  readonly #lookup = this.#own.add(new RepeatedLookup(() => this.#look(), TOGETHER));

  constructor(host: HostProcess, source: TeamSource) {
    this.#host = host;
    this.#source = source;
    this.#own.add(source.onShown(() => void this.refresh()));
    this.#own.add(source.onEvents((events) => events.some(({ type }) => CHANGING.has(type)) && this.#lookup.soon()));
    this.#own.add(workspace.onDidChangeTextDocument(({ document }) => this.has(document.uri) && this.#lookup.soon()));
    this.#own.add(workspace.onDidSaveTextDocument(({ uri }) => this.has(uri) && this.#lookup.soon()));
    this.#own.add(workspace.onDidCreateFiles(() => this.#lookup.soon()));
    this.#own.add(workspace.onDidDeleteFiles(() => this.#lookup.soon()));
    this.#own.add(workspace.onDidRenameFiles(({ files }) => void this.#follow(files)));
    this.#own.add(host.onStateChanged(() => void this.#follow([])));
  }

  /** Undefined until they are known, and while no team is shown. */
  get current(): TeamFileChanges | undefined {
    return this.#current?.teamId === this.#source.state?.teamId ? this.#current : undefined;
  }

  /** Whether there is anything to keep or undo. */
  get isAny(): boolean {
    return (this.current?.files.length ?? 0) + (this.current?.commands.length ?? 0) > 0;
  }

  /** The paths of the changed files in the file system; the same list until they are looked up again. */
  get paths(): readonly string[] {
    return this.current === undefined ? NONE : this.#paths;
  }

  /** Whether the team has changed that file. */
  has(uri: { toString(): string }): boolean {
    return this.find(uri) !== undefined;
  }

  /** What the team has changed in that file. */
  find(uri: { toString(): string }): ChangedFile | undefined {
    return this.current?.files.find((file) => isSameUri(file.uri, uri));
  }

  /** Looks the changes up; one that is under way is followed by another. */
  refresh(): Promise<void> {
    return this.#lookup.now();
  }

  dispose(): void {
    this.#own.dispose();
  }

  /** The team's changes go with what the user moves. Without a host, it is told when there is one. */
  async #follow(files: FileRenameEvent["files"]): Promise<void> {
    this.#moves.push(...files.map(({ oldUri, newUri }) => ({ oldUri: `${oldUri}`, newUri: `${newUri}` })));
    if (this.#moves.length === 0 || this.#host.state !== "ready") return;
    for (let part = this.#moves.splice(0, MOVES); part.length > 0; part = this.#moves.splice(0, MOVES))
      await this.#host.request(EditsMoved, { files: part }).catch(() => undefined);
    this.#lookup.soon();
  }

  async #look(): Promise<void> {
    const teamId = this.#source.state?.teamId;
    // Without a host what was last known stays.
    const found = teamId && (await this.#host.request(EditsChanges, { teamId }).catch(() => this.#current));
    this.#current = found && teamId ? { ...found, teamId } : undefined;
    const paths = (this.#current?.files ?? []).map(({ uri }) => Uri.parse(uri).fsPath);
    if (paths.join("\n") !== this.#paths.join("\n")) this.#paths = paths;
    this.#changed.fire(undefined);
  }
}

/** The host and VS Code escape different characters in URIs. */
const isSameUri = (one: string, other: { toString(): string }): boolean => decoded(one) === decoded(other.toString());

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
