import { basename } from "node:path";
import { Uri } from "vscode";
import * as z from "zod";
import { GavelError } from "../../shared/contract/errors.ts";
import { Problem } from "../../shared/contract/problem.ts";
import { TeamFork, TeamList, TeamRename, TeamReset } from "../../shared/contract/requests.ts";
import type { TeamSummary } from "../../shared/contract/team.ts";
import type { TeamFileProblems } from "../errors/team-file-problems.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { DeletedThreads } from "./deleted-threads.ts";
import type { OpenTeams } from "./open-teams.ts";
import type { RestoredTeams } from "./restored-teams.ts";

/** Opens teams from files and from the store, and restores those that the window had open. */
export class TeamOpener {
  readonly #host: HostProcess;
  readonly #teams: OpenTeams;
  readonly #restored: RestoredTeams;
  readonly #deleted: DeletedThreads;
  readonly #problems: TeamFileProblems;
  /** The last attempt to open a corrected file: one at a time, as each would make a team of its own. */
  #again: Promise<void> = Promise.resolve();

  constructor(
    host: HostProcess,
    teams: OpenTeams,
    restored: RestoredTeams,
    deleted: DeletedThreads,
    problems: TeamFileProblems,
  ) {
    this.#deleted = deleted;
    this.#host = host;
    this.#teams = teams;
    this.#restored = restored;
    this.#problems = problems;
  }

  /** Restores the teams that the window had open; see {@link RestoredTeams.restore}. */
  async restore(): Promise<void> {
    try {
      await this.#restored.restore();
    } finally {
      await this.#deleted.finishLeft();
    }
  }

  /** The stored teams, newest first, without those that the user has deleted. */
  async stored(): Promise<readonly TeamSummary[]> {
    const { teams } = await this.#host.request(TeamList, {});
    return teams.filter(({ teamId }) => !this.#deleted.has(teamId));
  }

  /**
   * Opens a team from its file, with the stored thread of `teamId` or a new one. A file with problems is shown with them in
   * place of its team, and they are marked in the editor.
   */
  async openFile(uri: Uri, teamId?: string): Promise<void> {
    await this.#settled();
    try {
      await this.#teams.open({ uri: uri.toString(), ...(teamId === undefined ? {} : { teamId }) });
      this.#problems.clear(uri);
      if (this.#teams.failure?.uri === uri.toString()) this.#teams.clearFailure();
    } catch (error) {
      this.#showProblems(error, uri, teamId);
    }
  }

  /** Opens the file that could not be opened last again; its team is shown if the file still is. */
  openAgain(): Promise<void> {
    const again = this.#again.then(() => this.#openFailure());
    this.#again = again.catch(() => undefined);
    return again;
  }

  /** Opens a stored team with its thread, or shows it if it is open. */
  async openStored(teamId: string): Promise<void> {
    await this.#settled();
    const open = this.#teams.find(teamId);
    if (open === undefined) await this.#teams.open({ teamId });
    else this.#teams.activate(open);
  }

  /** Copies an open team and opens the copy. @throws GavelError while the team is running. */
  async fork(teamId: string): Promise<void> {
    const copy = await this.#host.request(TeamFork, { teamId });
    await this.#teams.open({ teamId: copy.teamId });
  }

  /** Opens an empty copy of a team that comes from no file. @throws GavelError while the team is running. */
  async copyEmpty(teamId: string): Promise<void> {
    const copy = await this.#host.request(TeamFork, { teamId });
    await this.#host.request(TeamReset, { teamId: copy.teamId });
    // It is no fork to the user, but a new thread.
    await this.#host.request(TeamRename, { teamId: copy.teamId, title: null });
    await this.#teams.open({ teamId: copy.teamId });
  }

  async #openFailure(): Promise<void> {
    const { failure, active } = this.#teams;
    if (failure === undefined) return;
    const uri = Uri.parse(failure.uri, true);
    await this.openFile(uri, failure.teamId);
    // The user has gone to another team meanwhile.
    if (active !== undefined) this.#teams.activate(active);
  }

  /** What was open is restored first; a team that cannot be restored does not prevent another from opening. */
  async #settled(): Promise<void> {
    await this.restore().catch(() => undefined);
  }

  /** @throws what is no problem of the file. */
  #showProblems(error: unknown, uri: Uri, teamId: string | undefined): void {
    if (!(error instanceof GavelError && error.data.code === "InvalidDefinition")) throw error;
    const parsed = z.array(Problem).safeParse(error.data["problems"]);
    const problems = parsed.success ? parsed.data : [];
    this.#problems.set(uri, problems);
    this.#teams.fail({ uri: uri.toString(), teamId, name: basename(uri.path), problems });
  }
}
