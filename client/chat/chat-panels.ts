import type { Disposable, WebviewPanel } from "vscode";
import { ViewColumn, window } from "vscode";
import * as z from "zod";
import { threadName } from "../../shared/text/thread-name.ts";
import { panelType } from "../contributions.ts";
import { Disposables } from "../disposables.ts";
import type { OpenTeams } from "../open-teams/open-teams.ts";
import type { TeamOpener } from "../open-teams/team-opener.ts";
import type { TeamSession } from "../session/team-session.ts";
import type { PageFolders } from "./chat-html.ts";
import { ChatPanel } from "./chat-panel.ts";

/** What the page has stored of itself, to restore its tab. */
const Stored = z.object({ teamId: z.string() });

/** The editor tabs with chats, at most one for each open team. A tab that has the focus makes its team the active one. */
export class ChatPanels implements Disposable {
  readonly #folders: PageFolders;
  readonly #teams: OpenTeams;
  readonly #opener: TeamOpener;
  readonly #attach: (page: ChatPanel, session: TeamSession) => Disposable;
  readonly #own = new Disposables();
  readonly #panels = new Map<TeamSession, { readonly panel: WebviewPanel; readonly page: ChatPanel }>();

  /** @param attach keeps a page up to date, and answers it. */
  constructor(
    folders: PageFolders,
    teams: OpenTeams,
    opener: TeamOpener,
    attach: (page: ChatPanel, session: TeamSession) => Disposable,
  ) {
    this.#folders = folders;
    this.#teams = teams;
    this.#opener = opener;
    this.#attach = attach;
    this.#own.add(teams.onChanged(() => this.#closeGone()));
  }

  /** Shows a team in an editor tab: in its own, if it has one. */
  open(session: TeamSession): void {
    const { panel } = this.#panels.get(session) ?? {};
    if (panel !== undefined) panel.reveal();
    else this.#add(session, window.createWebviewPanel(panelType, titleOf(session), ViewColumn.Active));
  }

  /** Restores a tab after a reload. The tab of a team that no longer exists is closed. */
  async restore(panel: WebviewPanel, stored: unknown): Promise<void> {
    const parsed = Stored.safeParse(stored);
    await this.#opener.restore().catch(() => undefined);
    const session = parsed.success ? this.#teams.find(parsed.data.teamId) : undefined;
    if (session === undefined || this.#panels.has(session)) panel.dispose();
    else this.#add(session, panel);
  }

  /** Whether the user sees the team in an editor tab. */
  shows(session: TeamSession): boolean {
    return this.#panels.get(session)?.page.visible === true;
  }

  dispose(): void {
    for (const { panel } of this.#panels.values()) panel.dispose();
    this.#own.dispose();
  }

  #add(session: TeamSession, panel: WebviewPanel): void {
    const scope = new Disposables();
    const page = scope.add(new ChatPanel(panel, this.#folders));
    scope.add(this.#attach(page, session));
    scope.add(this.#teams.onStateChanged(() => rename(panel, titleOf(session))));
    scope.add(panel.onDidChangeViewState(() => panel.active && this.#teams.activate(session)));
    this.#panels.set(session, { panel, page });
    panel.onDidDispose(() => {
      this.#panels.delete(session);
      scope.dispose();
    });
  }

  #closeGone(): void {
    for (const [session, { panel }] of this.#panels) if (!this.#teams.all.includes(session)) panel.dispose();
  }
}

const titleOf = ({ state }: TeamSession): string => (state === undefined ? "Gavel" : threadName(state));

/** Each set title goes to the editor, also one that is the same. */
function rename(panel: WebviewPanel, title: string): void {
  if (panel.title !== title) panel.title = title;
}
