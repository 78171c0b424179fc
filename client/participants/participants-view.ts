import type { Disposable, Event, TreeDataProvider } from "vscode";
import { EventEmitter, MarkdownString, ThemeIcon, TreeItem, window } from "vscode";
import type { ParticipantInfo } from "../../shared/contract/team.ts";
import { Disposables } from "../disposables.ts";
import type { TeamSession } from "../team/team-session.ts";
import { activities, roleOf } from "./activity.ts";

const PARTICIPANTS_VIEW = "gavel.participants";

/** One participant in the tree; menus hand it to the command. */
export class ParticipantItem extends TreeItem {
  readonly participant: string;

  constructor(info: ParticipantInfo) {
    super(info.name);
    const { label, icon } = activities[info.activity];
    this.participant = info.name;
    this.id = info.name;
    this.description = label;
    this.iconPath = new ThemeIcon(icon);
    this.contextValue = info.kind;
    this.tooltip = tooltip(info);
    const role = roleOf(info);
    this.accessibilityInformation = { label: [info.name, role, label, info.lastLine].filter(Boolean).join(", ") };
    this.command = { command: "gavel.messageParticipant", title: "Message", arguments: [this] };
  }
}

/** Who takes part in the team that is shown, and what each is doing. */
export class ParticipantsView implements Disposable, TreeDataProvider<ParticipantInfo> {
  readonly #session: TeamSession;
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new EventEmitter<undefined>());
  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;
  #shown: readonly ParticipantInfo[] = [];

  constructor(session: TeamSession, revealed: () => void) {
    this.#session = session;
    const view = this.#own.add(window.createTreeView(PARTICIPANTS_VIEW, { treeDataProvider: this }));
    this.#own.add(view.onDidChangeVisibility(({ visible }) => visible && revealed()));
    this.#own.add(session.onEvents(() => this.#update()));
    this.#own.add(session.onShown(() => this.#update()));
  }

  getChildren(parent?: ParticipantInfo): ParticipantInfo[] {
    return parent === undefined ? [...this.#shown] : [];
  }

  getTreeItem(info: ParticipantInfo): TreeItem {
    return new ParticipantItem(info);
  }

  dispose(): void {
    this.#own.dispose();
  }

  /** The reducer keeps the list while no participant changes, so that streaming does not redraw the tree. */
  #update(): void {
    const participants = this.#session.state?.participants ?? [];
    if (participants === this.#shown) return;
    this.#shown = participants;
    this.#changed.fire(undefined);
  }
}

/** Plain text: it holds what a model said. */
function tooltip(info: ParticipantInfo): MarkdownString {
  const text = new MarkdownString();
  text.appendText(info.name);
  for (const line of [roleOf(info), info.model === undefined ? "" : `Model: ${info.model}`, info.lastLine ?? ""]) {
    if (line !== "") text.appendMarkdown("\n\n").appendText(line);
  }
  return text;
}
