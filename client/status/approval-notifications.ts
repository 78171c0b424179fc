import type { Disposable } from "vscode";
import { workspace } from "vscode";
import { threadName } from "../../shared/text/thread-name.ts";
import { notify } from "../dialogs/notify.ts";
import { Disposables } from "../disposables.ts";
import type { OpenTeams } from "../open-teams/open-teams.ts";
import { callApprovals } from "../session/call-approvals.ts";
import { callerNames, distinctCalls, identicalCalls } from "../session/identical-calls.ts";
import type { TeamSession } from "../session/team-session.ts";
import { reviewText } from "./notable-events.ts";

const REVIEW = "Review…";

/** What is notified of, and what the notification's button does. */
export interface ApprovalNotificationsOptions {
  readonly teams: OpenTeams;
  /** Whether the chat shows this team now: its cards are then enough. */
  readonly isSeen: (session: TeamSession) => boolean;
  /** Calls the listener when what {@link isSeen} says may have changed. */
  readonly onSeenChanged: (listener: () => unknown) => Disposable;
  /** Shows a call of the team or, without a ref, all that wait, for the user to decide. */
  readonly review: (session: TeamSession, ref: string | undefined) => void;
}

/** Notifies the user, once for each, of tool calls of open teams that need a decision and that the chat does not show. */
export class ApprovalNotifications implements Disposable {
  readonly #options: ApprovalNotificationsOptions;
  readonly #own = new Disposables();
  /** The refs of the calls that the user has been notified of. */
  readonly #notified = new Map<TeamSession, ReadonlySet<string>>();

  constructor(options: ApprovalNotificationsOptions) {
    this.#options = options;
    this.#own.add(options.teams.onStateChanged(() => this.#updateAll()));
    this.#own.add(options.onSeenChanged(() => this.#updateAll()));
    this.#own.add(workspace.onDidGrantWorkspaceTrust(() => this.#updateAll()));
  }

  dispose(): void {
    this.#own.dispose();
  }

  #updateAll(): void {
    const { all } = this.#options.teams;
    for (const session of [...this.#notified.keys()]) if (!all.includes(session)) this.#notified.delete(session);
    for (const session of all) this.#update(session);
  }

  #update(session: TeamSession): void {
    const { state } = session;
    if (state?.status !== "awaitingTools" || !workspace.isTrusted || this.#options.isSeen(session)) return;
    const notified = this.#notified.get(session);
    const fresh = distinctCalls(state.pendingTools)
      .filter(({ ref }) => notified?.has(ref) !== true)
      .filter((call) => callApprovals(state, call, session.user).own === "decide");
    this.#notified.set(session, new Set(state.pendingTools.map(({ ref }) => ref)));
    const [first, ...others] = fresh;
    if (first === undefined) return;
    const who = callerNames(identicalCalls(first, state.pendingTools));
    const { text } = callApprovals(state, first, session.user);
    const approvals = text === undefined || others.length > 0 ? "" : ` ${text}`;
    const what =
      others.length === 0
        ? first.review
          ? reviewText(who, first.name)
          : `${who} ${who === first.participant ? "wants" : "want"} to use ${first.name}.`
        : `${fresh.length} tool calls need your decision.`;
    void notify("info", `${threadName(state)}: ${what}${approvals}`, REVIEW).then((choice) => {
      // Of several the user picks one from a list.
      if (choice === REVIEW) this.#options.review(session, others.length === 0 ? first.ref : undefined);
    });
  }
}
