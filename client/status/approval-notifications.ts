import type { Disposable } from "vscode";
import { window, workspace } from "vscode";
import { Disposables } from "../disposables.ts";
import { runGavelCommand } from "../run-gavel-command.ts";
import { callerNames, distinctCalls, identicalCalls } from "../team/identical-calls.ts";
import type { TeamSession } from "../team/team-session.ts";

const REVIEW = "Review…";

/** Tells the user, once each time, that a team waits for a ruling on its tool calls. */
export class ApprovalNotifications implements Disposable {
  readonly #session: TeamSession;
  readonly #own = new Disposables();
  /** The calls that the user has been told of. */
  #notified: ReadonlySet<string> = new Set();

  constructor(session: TeamSession) {
    this.#session = session;
    this.#own.add(session.onEvents(() => this.#update()));
    this.#own.add(session.onShown(() => this.#update()));
    this.#own.add(workspace.onDidGrantWorkspaceTrust(() => this.#update()));
  }

  dispose(): void {
    this.#own.dispose();
  }

  #update(): void {
    const { state } = this.#session;
    if (state?.status !== "awaitingTools" || !workspace.isTrusted) return;
    const fresh = distinctCalls(state.pendingTools).filter(({ ref }) => !this.#notified.has(ref));
    this.#notified = new Set(state.pendingTools.map(({ ref }) => ref));
    const [first, ...others] = fresh;
    if (first === undefined) return;
    const who = callerNames(identicalCalls(first, state.pendingTools));
    const what =
      others.length === 0
        ? `${who} ${who === first.participant ? "asks" : "ask"} to use ${first.name}.`
        : `${fresh.length} tool calls wait for you.`;
    void window.showInformationMessage(`${state.name}: ${what}`, REVIEW).then((choice) => {
      // One of several is picked from the list, so that none is ruled on by its place in it.
      if (choice === REVIEW) void runGavelCommand("gavel.approveTool", others.length === 0 ? first.ref : undefined);
    });
  }
}
