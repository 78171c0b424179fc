import type { Disposable, Event, TreeDataProvider } from "vscode";
import { EventEmitter, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri, window } from "vscode";
import type { ChangedFile, CommandChange } from "../../shared/contract/edits.ts";
import { countText } from "../common/count-text.ts";
import { visibleText } from "../common/visible-text.ts";
import { type CommandId, viewIds } from "../contributions.ts";
import { Disposables } from "../disposables.ts";
import { countsText, totalOf } from "./change-counts.ts";
import type { ShownChanges } from "./shown-changes.ts";

const OPEN: CommandId = "gavel.openChange";

/** A row of the view; its commands get it. */
export type ChangeRow =
  | { readonly kind: "file"; readonly file: ChangedFile }
  | { readonly kind: "commands"; readonly changes: readonly CommandChange[] }
  | { readonly kind: "command"; readonly change: CommandChange };

const DID: Readonly<Record<ChangedFile["change"], string>> = {
  created: "created",
  changed: "changed",
  deleted: "deleted",
};

/** Lists the files that the shown team has changed, until the user keeps or undoes it, and those that commands changed. */
export class ChangesView implements Disposable, TreeDataProvider<ChangeRow> {
  readonly #changes: ShownChanges;
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new EventEmitter<undefined>());
  readonly #view;
  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;

  constructor(changes: ShownChanges) {
    this.#changes = changes;
    this.#view = this.#own.add(window.createTreeView(viewIds.changes, { treeDataProvider: this }));
    this.#own.add(changes.onChanged(() => this.#update()));
  }

  getChildren(row?: ChangeRow): ChangeRow[] {
    if (row !== undefined) return row.kind === "commands" ? row.changes.map(commandRow) : [];
    const { files, commands: changes } = this.#changes.current ?? { files: [], commands: [] };
    const group: ChangeRow[] = changes.length === 0 ? [] : [{ kind: "commands", changes }];
    return [...files.map((file): ChangeRow => ({ kind: "file", file })), ...group];
  }

  getTreeItem(row: ChangeRow): TreeItem {
    switch (row.kind) {
      case "file":
        return fileItem(row, row.file);
      case "command":
        return commandItem(row, row.change);
      case "commands": {
        const item = new TreeItem("Changed by commands", TreeItemCollapsibleState.Expanded);
        item.description = "not restored by Undo";
        item.iconPath = new ThemeIcon("terminal");
        item.contextValue = "commands";
        return item;
      }
    }
  }

  dispose(): void {
    this.#own.dispose();
  }

  #update(): void {
    const files = this.#changes.current?.files ?? [];
    const some = files.length === 0 ? "" : `${countText(files.length, "file")} ${countsText(totalOf(files))}`;
    this.#view.description = some;
    this.#changed.fire(undefined);
  }
}

const commandRow = (change: CommandChange): ChangeRow => ({ kind: "command", change });

function fileItem(row: ChangeRow, file: ChangedFile): TreeItem {
  const { path, folder, name } = shownPath(file.path);
  const item = new TreeItem(name);
  const who = file.participants.map((each) => visibleText(each).text).join(", ");
  const state = file.change === "changed" ? "" : DID[file.change];
  item.resourceUri = Uri.parse(file.uri);
  item.iconPath = ThemeIcon.File;
  item.description = [countsText(file), state, who, folder].filter((part) => part !== "").join(" · ");
  item.contextValue = "changedFile";
  const mixed = file.mixed ? "You, or a command, have changed some of the same lines since." : "";
  // A string, which VS Code shows as it is.
  item.tooltip = [path, `${countsText(file)}, ${DID[file.change]} by ${who}`, mixed].filter(Boolean).join("\n");
  const lines = `${countText(file.added, "line")} added, ${file.removed.toLocaleString()} removed`;
  item.accessibilityInformation = { label: `${path}, ${DID[file.change]} by ${who}, ${lines}` };
  item.command = { command: OPEN, title: "Open Changes", arguments: [row] };
  return item;
}

function commandItem(row: ChangeRow, { path: full, uri, change, participant, command }: CommandChange): TreeItem {
  const { path, folder, name } = shownPath(full);
  const item = new TreeItem(name);
  const [who, line] = [visibleText(participant).text, visibleText(command).text];
  item.resourceUri = Uri.parse(uri);
  item.iconPath = ThemeIcon.File;
  item.description = [DID[change], who, folder].filter((part) => part !== "").join(" · ");
  item.contextValue = "commandChange";
  item.tooltip = `${path}\n${DID[change]} while ${who} ran:\n${line}`;
  item.accessibilityInformation = {
    label: `${path}, ${DID[change]} while ${who} ran ${line}; Undo does not restore it`,
  };
  if (change !== "deleted") item.command = { command: OPEN, title: "Open File", arguments: [row] };
  return item;
}

function shownPath(given: string): { readonly path: string; readonly folder: string; readonly name: string } {
  const path = visibleText(given).text;
  const end = path.lastIndexOf("/");
  return { path, folder: end === -1 ? "" : path.slice(0, end), name: path.slice(end + 1) };
}
