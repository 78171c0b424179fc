import { isDeepStrictEqual } from "node:util";
import type { Disposable, Event, TreeDataProvider } from "vscode";
import { EventEmitter, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri, window } from "vscode";
import type { ChangedFile, ChangedTurn, CommandChange } from "../../shared/contract/edits.ts";
import { countText } from "../../shared/text/count-text.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { type CommandId, viewIds } from "../contributions.ts";
import { Disposables } from "../disposables.ts";
import { countsText, totalOf } from "./change-counts.ts";
import type { ChangeGrouping } from "./change-grouping.ts";
import type { ShownChanges, TeamFileChanges } from "./shown-changes.ts";

const OPEN: CommandId = "gavel.openChange";

/** A row of the view; its commands get it. */
export type ChangeRow =
  | { readonly kind: "file"; readonly file: ChangedFile }
  | { readonly kind: "turn"; readonly turn: ChangedTurn }
  /** What a turn changed in a file: its counts are those of the turn. */
  | { readonly kind: "turnFile"; readonly file: ChangedFile; readonly participant: string }
  | { readonly kind: "commands"; readonly changes: readonly CommandChange[] }
  | { readonly kind: "command"; readonly change: CommandChange };

const DID: Readonly<Record<ChangedFile["change"], string>> = {
  created: "created",
  changed: "changed",
  deleted: "deleted",
};

/** What Undo leaves of what a command did. */
const NOT_RESTORED: Readonly<Record<CommandChange["change"] | "moved", string>> = {
  created: "Undo does not delete it.",
  changed: "Undo does not restore it.",
  deleted: "Undo does not restore it.",
  moved: "Undo does not move it back; it restores what the team edited in it here.",
};

/** Lists the files that the shown team has changed, until the user keeps or undoes it, and those that commands changed. */
export class ChangesView implements Disposable, TreeDataProvider<ChangeRow> {
  readonly #changes: ShownChanges;
  readonly #grouping: ChangeGrouping;
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new EventEmitter<undefined>());
  readonly #view;
  #shown: TeamFileChanges | undefined;
  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;

  constructor(changes: ShownChanges, grouping: ChangeGrouping) {
    this.#changes = changes;
    this.#grouping = grouping;
    this.#own.add(grouping.onChanged(() => this.#changed.fire(undefined)));
    this.#view = this.#own.add(window.createTreeView(viewIds.changes, { treeDataProvider: this }));
    this.#own.add(changes.onChanged(() => this.#update()));
  }

  getChildren(row?: ChangeRow): ChangeRow[] {
    const { files, turns, commands: changes } = this.#changes.current ?? { files: [], turns: [], commands: [] };
    if (row?.kind === "commands") return row.changes.map(commandRow);
    if (row?.kind === "turn") return turnFiles(row.turn, files);
    if (row !== undefined) return [];
    const group: ChangeRow[] = changes.length === 0 ? [] : [{ kind: "commands", changes }];
    if (!this.#grouping.isByTurn) return [...files.map(fileRow), ...group];
    // What no turn is known to have written, such as an empty new file, is listed as a file.
    const known = new Set(turns.flatMap((turn) => turn.files.map(({ path }) => path)));
    const others = files.filter(({ path }) => !known.has(path)).map(fileRow);
    return [...turns.map((turn): ChangeRow => ({ kind: "turn", turn })), ...others, ...group];
  }

  getTreeItem(row: ChangeRow): TreeItem {
    switch (row.kind) {
      case "file":
        return fileItem(row, row.file);
      case "turn":
        return turnItem(row.turn);
      case "turnFile": {
        const item = fileItem(row, { ...row.file, participants: [row.participant] });
        item.contextValue = "turnFile";
        // The row above has the name.
        item.description = fileDescription(row.file, "");
        return item;
      }
      case "command":
        return commandItem(row, row.change);
      case "commands": {
        const item = new TreeItem("By commands", TreeItemCollapsibleState.Expanded);
        item.description = "not restored by Undo";
        item.tooltip = "Files that changed while commands ran. Undo does not restore them.";
        item.iconPath = new ThemeIcon("terminal");
        item.contextValue = "commands";
        return item;
      }
    }
  }

  dispose(): void {
    this.#own.dispose();
  }

  /** Rows that are as they were are not made again: a click may be on its way to one of them. */
  #update(): void {
    if (isDeepStrictEqual(this.#changes.current, this.#shown)) return;
    this.#shown = this.#changes.current;
    const files = this.#changes.current?.files ?? [];
    const some = files.length === 0 ? "" : `${countText(files.length, "file")} ${countsText(totalOf(files))}`;
    this.#view.description = some;
    this.#changed.fire(undefined);
  }
}

const fileRow = (file: ChangedFile): ChangeRow => ({ kind: "file", file });

function turnFiles({ files: own, participant }: ChangedTurn, files: readonly ChangedFile[]): ChangeRow[] {
  return own.flatMap(({ path, added, removed }) => {
    const file = files.find((each) => each.path === path);
    return file === undefined ? [] : { kind: "turnFile", participant, file: { ...file, added, removed } };
  });
}

function turnItem({ turnId, participant, at, files }: ChangedTurn): TreeItem {
  const who = visibleText(participant).text;
  const item = new TreeItem(who, TreeItemCollapsibleState.Expanded);
  const time = new Date(at).toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
  const { added, removed } = totalOf(files);
  item.id = `turn ${turnId}`;
  item.description = [countsText({ added, removed }), countText(files.length, "file"), time].join(" · ");
  item.iconPath = new ThemeIcon("comment");
  item.contextValue = "changedTurn";
  item.tooltip = `Turn of ${who}, ${new Date(at).toLocaleString()}`;
  const lines = `${countText(added, "line")} added, ${removed.toLocaleString()} removed`;
  item.accessibilityInformation = { label: `Turn of ${who} at ${time}, ${countText(files.length, "file")}, ${lines}` };
  return item;
}

const commandRow = (change: CommandChange): ChangeRow => ({ kind: "command", change });

function fileItem(row: ChangeRow, file: ChangedFile): TreeItem {
  const { path, name } = shownPath(file.path);
  const item = new TreeItem(name);
  const who = file.participants.map((each) => visibleText(each).text).join(", ");
  item.resourceUri = Uri.parse(file.uri);
  item.iconPath = ThemeIcon.File;
  item.description = fileDescription(file, who);
  item.contextValue = "changedFile";
  const mixed = file.mixed ? "You, or a command, have changed some of the same lines since." : "";
  // A string, which VS Code shows as it is.
  item.tooltip = [path, `${countsText(file)}, ${DID[file.change]} by ${who}`, mixed].filter(Boolean).join("\n");
  const lines = `${countText(file.added, "line")} added, ${file.removed.toLocaleString()} removed`;
  item.accessibilityInformation = { label: `${path}, ${DID[file.change]} by ${who}, ${lines}` };
  item.command = { command: OPEN, title: "Open Changes", arguments: [row] };
  return item;
}

function fileDescription(file: ChangedFile, who: string): string {
  const state = file.change === "changed" ? "" : DID[file.change];
  return [countsText(file), state, who, shownPath(file.path).folder].filter((part) => part !== "").join(" · ");
}

function commandItem(row: ChangeRow, { path: full, uri, change, from, participant, command }: CommandChange): TreeItem {
  const { path, folder, name } = shownPath(full);
  const item = new TreeItem(name);
  const [who, line] = [visibleText(participant).text, visibleText(command).text];
  item.resourceUri = Uri.parse(uri);
  item.iconPath = ThemeIcon.File;
  const did = from === undefined ? DID[change] : `moved from ${visibleText(from).text}`;
  item.description = [did, who, folder].filter((part) => part !== "").join(" · ");
  item.contextValue = "commandChange";
  item.tooltip = `${path}\n${did} while ${who} ran:\n${line}\n${NOT_RESTORED[from === undefined ? change : "moved"]}`;
  item.accessibilityInformation = {
    label: `${path}, ${did} while ${who} ran ${line}; ${NOT_RESTORED[from === undefined ? change : "moved"]}`,
  };
  const title = from === undefined ? "Open File" : "Open Changes";
  if (change !== "deleted") item.command = { command: OPEN, title, arguments: [row] };
  return item;
}

function shownPath(given: string): { readonly path: string; readonly folder: string; readonly name: string } {
  const path = visibleText(given).text;
  const end = path.lastIndexOf("/");
  return { path, folder: end === -1 ? "" : path.slice(0, end), name: path.slice(end + 1) };
}
