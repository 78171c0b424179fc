import type { Disposable, Event, TreeDataProvider } from "vscode";
import { EventEmitter, ThemeIcon, TreeItem, TreeItemCollapsibleState, window } from "vscode";
import type { DurableEvent } from "../../shared/contract/event.ts";
import type { ParticipantInfo } from "../../shared/contract/team.ts";
import { ownValue } from "../../shared/json-record.ts";
import { usesModel } from "../../shared/state/model-choice.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { participantPath } from "../../shared/text/nested-teams.ts";
import { usageText } from "../../shared/text/usage-text.ts";
import { visibleOrder } from "../../shared/text/visible-text.ts";
import { participantKindText, teamKindText } from "../common/kind-text.ts";
import { currentModel, modelName, type OfferedModel } from "../common/model-name.ts";
import { type CommandId, viewIds } from "../contributions.ts";
import { Disposables } from "../disposables.ts";
import { addressOf } from "../messages/addressees.ts";
import type { KnownModelNames } from "../models/known-models.ts";
import type { TeamSource } from "../session/team-source.ts";
import { activityText, iconOf, roleOf } from "../text/activity-text.ts";

const MESSAGE: CommandId = "gavel.messageParticipant";

/** One participant in the tree, of the open team or of a nested one; menus pass it to their command. */
interface Member {
  readonly name: string;
  readonly info: ParticipantInfo;
  /** The participants that lead to its nested team; empty in the open team. */
  readonly path: readonly string[];
  /** Its address for messages. */
  readonly to: string;
  /** The team that it is in. */
  readonly of: TeamState;
  /** What it is doing, in a few words. */
  readonly doing: string;
  /** The nested team, if the participant is one. */
  readonly team?: TeamState | undefined;
}

/** A row of the tree. */
export class ParticipantItem extends TreeItem {
  readonly to: string;

  constructor({ name, info, path, to, of, team, doing }: Member, offered: readonly OfferedModel[]) {
    super(name, team === undefined ? TreeItemCollapsibleState.None : TreeItemCollapsibleState.Collapsed);
    const kind = participantKindText(info.kind, team?.participants.length);
    const what = [kind, team === undefined ? "" : teamKindText[team.kind]].filter(Boolean).join(", ");
    this.to = to;
    this.id = participantPath(path, name);
    this.description = info.kind === "user" ? kind : [what, doing].filter(Boolean).join(" · ");
    this.iconPath = new ThemeIcon(iconOf(info));
    this.contextValue = info.kind;
    this.tooltip = tooltip(info, what, of, offered);
    const role = roleOf(info);
    this.accessibilityInformation = { label: [name, what, role, doing, info.lastLine].filter(Boolean).join(", ") };
    if (info.kind !== "user") this.command = { command: MESSAGE, title: "Message", arguments: [this] };
  }
}

/** Lists the participants of the open team and its nested teams, with what each is doing. */
export class ParticipantsView implements Disposable, TreeDataProvider<Member> {
  readonly #session: TeamSource;
  readonly #models: KnownModelNames;
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new EventEmitter<undefined>());
  readonly #view;
  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;
  #shown: readonly unknown[] = [];

  constructor(session: TeamSource, models: KnownModelNames, revealed: () => void) {
    this.#session = session;
    this.#models = models;
    this.#view = this.#own.add(window.createTreeView(viewIds.participants, { treeDataProvider: this }));
    const shown = (): void => {
      revealed();
      void models.look();
    };
    this.#own.add(this.#view.onDidChangeVisibility(({ visible }) => visible && shown()));
    this.#own.add(session.onStateChanged(() => this.#update()));
    this.#own.add(models.onChanged(() => this.#changed.fire(undefined)));
  }

  getChildren(parent?: Member): Member[] {
    const { state, mirror } = this.#session;
    if (parent === undefined) return state === undefined ? [] : membersOf(state, [], mirror?.tail);
    return parent.team === undefined ? [] : membersOf(parent.team, [...parent.path, parent.name]);
  }

  getTreeItem(member: Member): TreeItem {
    return new ParticipantItem(member, this.#models.known.offered);
  }

  dispose(): void {
    this.#own.dispose();
  }

  /** The reducer returns the same objects while nothing of a row changes, so streaming does not redraw the tree. */
  #update(): void {
    const { state } = this.#session;
    const shown = state === undefined ? [] : rowsAreOf(state);
    if (shown.length === this.#shown.length && shown.every((each, index) => each === this.#shown[index])) return;
    this.#shown = shown;
    this.#view.description = state === undefined ? "" : teamKindText[state.kind];
    this.#changed.fire(undefined);
  }
}

function membersOf(of: TeamState, path: readonly string[], tail: readonly DurableEvent[] = []): Member[] {
  const { participants, inner = {} } = of;
  return participants.map((info) => {
    const { name } = info;
    const doing = activityText(of, name, tail);
    return { name, info, path, to: addressOf(path, name), of, doing, team: ownValue(inner, name) };
  });
}

/** What the rows of a team and its nested teams are made of. */
function rowsAreOf({ participants, calls, pendingTools, openTurns, run, inner = {} }: TeamState): readonly unknown[] {
  return [participants, calls, pendingTools, openTurns, run, ...Object.values(inner).flatMap(rowsAreOf)];
}

/** A string, which VS Code shows as it is: in Markdown an address that a model wrote would be a link. */
function tooltip(info: ParticipantInfo, what: string, team: TeamState, offered: readonly OfferedModel[]): string {
  const used = usesModel(info) ? currentModel(info, team) : undefined;
  const model = used === undefined ? "" : `Model: ${modelName(used, offered)}`;
  const place = info.worker === undefined ? "" : `Runs on the worker ${info.worker}`;
  const role = info.description ?? "";
  const spent = info.usage === undefined ? "" : usageText(info.usage);
  const lines = [info.name, what, role, place, model, spent, info.lastLine ?? ""];
  return visibleOrder(lines.filter((line) => line !== "").join("\n"));
}
