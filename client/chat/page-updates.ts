import { basename } from "node:path";
import type { Disposable, Uri } from "vscode";
import { workspace } from "vscode";
import type { TeamSummary } from "../../shared/contract/team.ts";
import { SET_DEFAULT_MODEL } from "../../shared/no-model.ts";
import { snapshotOf } from "../../shared/state/team-state.ts";
import { threadName } from "../../shared/text/thread-name.ts";
import { totalOf } from "../changes/change-counts.ts";
import type { ShownChanges } from "../changes/shown-changes.ts";
import type { ToPage } from "../common/page-messages.ts";
import { WHILE_RUNNING, whileRunning } from "../context/composer-settings.ts";
import { Disposables } from "../disposables.ts";
import { hasWorkspace } from "../host/host-options.ts";
import type { HostProcess, HostState } from "../host/host-process.ts";
import type { Drafts } from "../messages/drafts.ts";
import type { KnownModelNames } from "../models/known-models.ts";
import type { FailedOpening } from "../open-teams/failed-opening.ts";
import type { TeamMirror } from "../session/team-mirror.ts";
import type { TeamSource } from "../session/team-source.ts";
import { findTeamFiles, teamFileLabel } from "../team-files/team-files.ts";
import { EventBatch } from "./event-batch.ts";
import type { PageSurface } from "./page-surface.ts";
import { postUndoneCalls } from "./undone-calls.ts";

/** What a page shows while there is no team: a file that could not be opened, or the threads that can be. */
interface WithoutTeam {
  readonly failure: () => FailedOpening | undefined;
  readonly stored: () => Promise<readonly TeamSummary[]>;
  readonly ownTeamFiles: () => Promise<readonly Uri[]>;
}

/** Keeps the chat page up to date with the team, the host and the workspace trust. */
export class PageUpdates implements Disposable {
  readonly #chat: PageSurface;
  readonly #session: TeamSource;
  readonly #host: HostProcess;
  readonly #drafts: Drafts;
  readonly #without: WithoutTeam;
  readonly #models: KnownModelNames;
  readonly #changes: ShownChanges;
  readonly #own = new Disposables();
  /** The teams that the user writes to on this page, as far as others are told. */
  readonly #writing = new Set<string>();
  readonly #batch = new EventBatch((events) => this.#post({ type: "events", teamId: this.#teamId, events }));

  constructor(
    chat: PageSurface,
    session: TeamSource,
    host: HostProcess,
    drafts: Drafts,
    without: WithoutTeam,
    changes: ShownChanges,
    models: KnownModelNames,
  ) {
    this.#models = models;
    this.#changes = changes;
    this.#own.add(changes.onChanged(() => this.#showChanges()));
    this.#chat = chat;
    this.#session = session;
    this.#host = host;
    this.#drafts = drafts;
    this.#without = without;
    this.#own.add(session.onEvents((events) => this.#batch.add(events)));
    this.#own.add(
      drafts.onChanged(({ teamId, draft, page }) => {
        if (page !== chat && teamId === this.#teamId) this.#post({ type: "draft", teamId, draft });
      }),
    );
    this.#own.add(session.onShown((mirror) => this.#showMirror(mirror)));
    this.#own.add(host.onStateChanged((state) => this.#hostChanged(state)));
    this.#own.add(host.onStorageChanged((status) => this.#post({ type: "storage", status })));
    this.#own.add(
      workspace.onDidChangeConfiguration(
        (change) => change.affectsConfiguration(WHILE_RUNNING) && this.#showSettings(),
      ),
    );
    this.#own.add(host.people.onChanged((teamId) => teamId === this.#teamId && this.#showPresence()));
    this.#own.add(models.onChanged(() => this.#showSettings()));
    this.#own.add(workspace.onDidGrantWorkspaceTrust(() => this.show()));
    this.#own.add(workspace.onDidChangeWorkspaceFolders(() => this.show()));
  }

  /** Tells the others who have the team open whether the user writes to it on this page. */
  setWriting(teamId: string, isWriting: boolean): void {
    if (isWriting) this.#writing.add(teamId);
    else this.#writing.delete(teamId);
    this.#host.people.setWriting(teamId, isWriting);
  }

  /** The page is hidden or gone: what is written in it is a draft that rests. */
  stopWriting(): void {
    for (const teamId of this.#writing) this.setWriting(teamId, false);
  }

  /** Posts the whole state, as a page needs that has just loaded. */
  show(): void {
    this.showHost();
    this.#showMirror(this.#session.mirror);
  }

  /** Posts the state of the host and its storage, and the settings. */
  showHost(): void {
    this.#showSettings();
    void this.#models.look();
    this.#hostChanged(this.#host.state);
    this.#post({ type: "storage", status: this.#host.storage });
  }

  dispose(): void {
    this.stopWriting();
    this.#batch.clear();
    this.#own.dispose();
  }

  get #teamId(): string {
    return this.#session.state?.teamId ?? "";
  }

  #showMirror(mirror: TeamMirror | undefined): void {
    this.#batch.clear();
    const failure = this.#without.failure();
    if (mirror === undefined && failure !== undefined) this.#post(failedTeam(failure));
    else if (mirror === undefined) void this.#welcome();
    else {
      const { state, tail } = mirror;
      const draft = this.#drafts.of(state.teamId);
      const { isTrusted: trusted } = workspace;
      const { user } = this.#host.people;
      this.#post({ type: "team", snapshot: snapshotOf(state), events: tail, trusted, user, draft });
      void postUndoneCalls(this.#host, this.#chat, state.teamId);
      this.#showPresence();
      this.#showChanges();
    }
  }

  #showPresence(): void {
    this.#post({ type: "presence", teamId: this.#teamId, clients: this.#host.people.in(this.#teamId) });
  }

  #showChanges(): void {
    const { current } = this.#changes;
    if (current === undefined) return;
    const { teamId, files, commands } = current;
    this.#post({ type: "changes", teamId, files: files.length, commands: commands.length, ...totalOf(files) });
  }

  /** Shows the welcome screen with what can be opened; without a host the list of stored teams is empty. */
  async #welcome(): Promise<void> {
    const [files, own, stored] = await Promise.all([
      findTeamFiles(),
      this.#without.ownTeamFiles(),
      this.#without.stored().catch(() => []),
    ]);
    if (this.#session.mirror !== undefined || this.#without.failure() !== undefined) return;
    this.#post({
      type: "welcome",
      trusted: workspace.isTrusted,
      workspace: hasWorkspace(),
      teamFiles: files.map((uri) => ({ uri: uri.toString(), label: teamFileLabel(uri) })),
      ownTeamFiles: own.map((uri) => ({ uri: uri.toString(), label: basename(uri.path) })),
      stored: stored.map(({ teamId, name, title, updatedAt, lastLine }) => ({
        teamId,
        name: threadName({ name, title }),
        updatedAt,
        ...(lastLine === undefined ? {} : { lastLine }),
      })),
    });
  }

  #showSettings(): void {
    const { preset, offered } = this.#models.known;
    const model = preset === undefined ? {} : { presetModel: preset };
    this.#post({ type: "settings", whileRunning: whileRunning(), ...model, offeredModels: offered });
  }

  #hostChanged(state: HostState): void {
    this.#batch.flush();
    if (state !== "unused") this.#post({ type: "host", state });
  }

  #post(message: ToPage): void {
    this.#chat.post(message);
  }
}

function failedTeam({ uri, name, problems }: FailedOpening): ToPage {
  return {
    type: "failedTeam",
    uri,
    name,
    ...(problems.some(({ message }) => message.endsWith(SET_DEFAULT_MODEL)) ? { lacksModel: true as const } : {}),
    problems: problems.map(({ path, message, line, column }) => ({
      text: path === "" ? message : `${path}: ${message}`,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    })),
  };
}
