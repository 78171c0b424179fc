import type { Disposable } from "vscode";
import { workspace } from "vscode";
import { notify } from "../dialogs/notify.ts";
import { Disposables } from "../disposables.ts";
import { runGavelCommand } from "../run-gavel-command.ts";
import { callerNames, distinctCalls, identicalCalls } from "../team/identical-calls.ts";
import type { TeamSession } from "../team/team-session.ts";

const REVIEW = "Review…";

/** Notifies the user, once for each, of tool calls that need a decision. */
export class ApprovalNotifications implements Disposable {
  readonly #session: TeamSession;
  readonly #own = new Disposables();
  /** The refs of the calls that the user has been notified of. */
  #notified: ReadonlySet<string> = new Set();

  constructor(session: TeamSession) {
    this.#session = session;
    this.#own.add(session.onStateChanged(() => this.#update()));
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
        ? `${who} ${who === first.participant ? "wants" : "want"} to use ${first.name}.`
        : `${fresh.length} tool calls need your decision.`;
    void notify("info", `${state.name}: ${what}`, REVIEW).then((choice) => {
      // Of several the user picks one from a list.
      if (choice === REVIEW) void runGavelCommand("gavel.approveTool", others.length === 0 ? first.ref : undefined);
    });
  }
}
