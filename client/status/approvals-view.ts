import type { Disposable, Event, TreeDataProvider } from "vscode";
import { EventEmitter, ThemeIcon, TreeItem, window } from "vscode";
import { choiceQuestionOf } from "../../shared/ask-user.ts";
import { firstLine } from "../../shared/contract/message-text.ts";
import { isRecord } from "../../shared/json-record.ts";
import { countText } from "../../shared/text/count-text.ts";
import { threadName } from "../../shared/text/thread-name.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { type CommandId, viewIds } from "../contributions.ts";
import { Disposables } from "../disposables.ts";
import type { OpenTeams } from "../open-teams/open-teams.ts";
import { callApprovals } from "../session/call-approvals.ts";
import { askers, type UserRequest, userRequests, waitsForUser } from "../session/user-requests.ts";

const DECIDE: CommandId = "gavel.decideRequest";
/** The longest beginning of an input in a row; the decision shows all of it. */
const MAX_SHOWN = 200;

const icons: Readonly<Record<UserRequest["kind"], string>> = {
  approval: "bell-dot",
  question: "question",
  turn: "account",
};

/** A row of the view; its command and menus get the request. */
export class RequestItem extends TreeItem {
  readonly request: UserRequest;

  constructor(request: UserRequest) {
    const { label, description } = textOf(request);
    const approvals = approvalsOf(request);
    super(label);
    this.request = request;
    this.description = description;
    this.iconPath = new ThemeIcon(icons[request.kind]);
    this.contextValue = request.kind;
    // A string, which VS Code shows as it is.
    this.tooltip = [label, description, ...approvals].join("\n");
    this.accessibilityInformation = { label: [label, description, ...approvals].join(", ") };
    this.command = { command: DECIDE, title: "Decide", arguments: [this] };
  }
}

/** Lists all that waits for the user in the open teams, and counts it on Gavel's icon. */
export class ApprovalsView implements Disposable, TreeDataProvider<UserRequest> {
  readonly #teams: OpenTeams;
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new EventEmitter<undefined>());
  readonly #view;
  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;
  #requests: readonly UserRequest[] = [];
  #shown: readonly unknown[] = [];

  constructor(teams: OpenTeams) {
    this.#teams = teams;
    this.#view = this.#own.add(window.createTreeView(viewIds.approvals, { treeDataProvider: this }));
    this.#own.add(teams.onStateChanged(() => this.#update()));
  }

  getChildren(parent?: UserRequest): UserRequest[] {
    return parent === undefined ? [...this.#requests] : [];
  }

  getTreeItem(request: UserRequest): TreeItem {
    return new RequestItem(request);
  }

  dispose(): void {
    this.#own.dispose();
  }

  /** The reducer returns the same lists while no call changes, so streaming does not redraw the tree. */
  #update(): void {
    const shown = this.#teams.all.flatMap(({ state }) => [
      state?.pendingTools,
      state?.awaitingUser,
      state?.status,
      state?.people,
      state?.approvers,
    ]);
    if (shown.length === this.#shown.length && shown.every((each, index) => each === this.#shown[index])) return;
    this.#shown = shown;
    this.#requests = userRequests(this.#teams.all);
    const value = this.#requests.filter(waitsForUser).length;
    this.#view.badge = value === 0 ? undefined : { value, tooltip: `${countText(value, "request")} for you` };
    this.#changed.fire(undefined);
  }
}

/** How far the approvals of several users are, where they are needed. */
function approvalsOf(request: UserRequest): readonly string[] {
  if (request.kind === "turn") return [];
  const { session, call } = request.first;
  const text = session.state && callApprovals(session.state, call, session.user).text;
  return text === undefined ? [] : [text];
}

function textOf(request: UserRequest): { readonly label: string; readonly description: string } {
  if (request.kind === "turn") {
    const { state } = request.session;
    return { label: `Your turn as ${request.speaker}`, description: state === undefined ? "" : threadName(state) };
  }
  const { call, session } = request.first;
  const short = session.state && callApprovals(session.state, call, session.user).short;
  const { who, teams } = askers(request.calls);
  const asked = choiceQuestionOf(call);
  if (asked !== undefined) {
    return { label: firstLine(visibleText(asked.question).text, MAX_SHOWN), description: `${who} asks · ${teams}` };
  }
  if (call.review) return { label: `Result of ${call.name}`, description: `for ${who} · ${teams}` };
  const what = isRecord(call.input) && typeof call.input["command"] === "string" ? call.input["command"] : undefined;
  const input = visibleText(what ?? JSON.stringify(call.input) ?? "").text;
  const verb = call.name === "runCommand" || call.name === "agent:execute" ? "Run Command" : call.name;
  return {
    label: `${verb}: ${firstLine(input, MAX_SHOWN)}`,
    description: [who, teams, short].filter(Boolean).join(" · "),
  };
}
