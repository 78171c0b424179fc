import type { Disposable } from "vscode";
import { workspace } from "vscode";
import { firstLine } from "../../shared/contract/message-text.ts";
import { threadName } from "../../shared/text/thread-name.ts";
import { questionTitle, userQuestionOf } from "../../shared/text/user-question.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { notify } from "../dialogs/notify.ts";
import { Disposables } from "../disposables.ts";
import type { OpenTeams } from "../open-teams/open-teams.ts";
import type { TeamSession } from "../session/team-session.ts";

const ANSWER = "Answer";

/** Notifies the user, once for each, of questions of the open teams that no chat on the screen shows. */
export class QuestionNotifications implements Disposable {
  readonly #teams: OpenTeams;
  readonly #isSeen: (session: TeamSession) => boolean;
  readonly #show: (session: TeamSession) => void;
  readonly #own = new Disposables();
  /** The question that each team last had. */
  readonly #known = new Map<TeamSession, string>();

  /** @param isSeen whether a page on the screen shows the team now. @param show shows the team's chat. */
  constructor(teams: OpenTeams, isSeen: (session: TeamSession) => boolean, show: (session: TeamSession) => void) {
    this.#teams = teams;
    this.#isSeen = isSeen;
    this.#show = show;
    this.#own.add(teams.onStateChanged(() => this.#update()));
  }

  dispose(): void {
    this.#own.dispose();
  }

  #update(): void {
    const { all } = this.#teams;
    for (const session of [...this.#known.keys()]) if (!all.includes(session)) this.#known.delete(session);
    for (const session of all) this.#notify(session);
  }

  #notify(session: TeamSession): void {
    const { state } = session;
    if (state === undefined || !workspace.isTrusted) return;
    const question = userQuestionOf(state);
    const isKnown = this.#known.get(session) === (question?.key ?? "");
    this.#known.set(session, question?.key ?? "");
    if (question === null || isKnown || this.#isSeen(session)) return;
    const said = visibleText(firstLine(question.text)).text;
    const text = `${threadName(state)}: ${questionTitle(question)}${said === "" ? "." : `: ${said}`}`;
    void notify("info", text, ANSWER).then((choice) => {
      if (choice === ANSWER) this.#show(session);
    });
  }
}
