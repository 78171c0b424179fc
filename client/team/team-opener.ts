import { type Uri, window } from "vscode";
import * as z from "zod";
import { GavelError } from "../../shared/contract/errors.ts";
import { Problem } from "../../shared/contract/problem.ts";
import { TeamFork, TeamList } from "../../shared/contract/requests.ts";
import type { TeamSnapshot, TeamSummary } from "../../shared/contract/team.ts";
import { errorActions } from "../common/error-actions.ts";
import { ActionableError } from "../errors/actionable-error.ts";
import type { TeamFileProblems } from "../errors/team-file-problems.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { RememberedTeam } from "./remembered-team.ts";
import type { TeamActions } from "./team-actions.ts";
import type { TeamSession } from "./team-session.ts";

const INTERRUPT = "Interrupt It";
const LEAVE = "Leave It Running";

/** Opens teams, from files and from the store, and the one of last time again. */
export class TeamOpener {
  readonly #host: HostProcess;
  readonly #session: TeamSession;
  readonly #actions: TeamActions;
  readonly #remembered: RememberedTeam;
  readonly #problems: TeamFileProblems;
  #restored: Promise<void> | undefined;

  constructor(
    host: HostProcess,
    session: TeamSession,
    actions: TeamActions,
    remembered: RememberedTeam,
    problems: TeamFileProblems,
  ) {
    this.#host = host;
    this.#session = session;
    this.#actions = actions;
    this.#remembered = remembered;
    this.#problems = problems;
  }

  /** Opens the window's last team again, once; a team that is gone is forgotten, and the window greets. */
  restore(): Promise<void> {
    this.#restored ??= this.#restore();
    return this.#restored;
  }

  /** The teams that are stored, newest first. */
  async stored(): Promise<readonly TeamSummary[]> {
    return (await this.#host.request(TeamList, {})).teams;
  }

  /**
   * Opens a team from its file: `teamId` names the stored thread to go on with, without it a new one begins.
   * @throws with a button that goes to the first mistake, when the file has any; they are marked in the editor.
   */
  async openFile(uri: Uri, teamId?: string): Promise<void> {
    if (!(await this.#canLeave(teamId))) return;
    try {
      await this.#open({ uri: uri.toString(), ...(teamId === undefined ? {} : { teamId }) });
      this.#problems.clear(uri);
    } catch (error) {
      throw this.#withDiagnostics(error, uri);
    }
  }

  /** Opens a stored team with its thread. */
  async openStored(teamId: string): Promise<void> {
    if (await this.#canLeave(teamId)) await this.#open({ teamId });
  }

  /** Makes another team of the one that is shown, as it is now, and shows that. @throws while the first one runs. */
  async fork(): Promise<TeamSnapshot> {
    const { teamId } = await this.#host.request(TeamFork, { teamId: this.#actions.team.teamId });
    return this.#open({ teamId });
  }

  /** After the team that is shown has been deleted: none is. */
  async forget(teamId: string): Promise<void> {
    if (this.#remembered.teamId === teamId) await this.#remembered.remember(undefined);
    if (this.#session.state?.teamId === teamId) this.#session.close();
  }

  async #restore(): Promise<void> {
    const { teamId } = this.#remembered;
    if (teamId === undefined || this.#session.mirror !== undefined) return;
    try {
      await this.#session.open({ teamId });
    } catch (error) {
      if (!(error instanceof GavelError && error.data.code === "UnknownTeam")) throw error;
      await this.#remembered.remember(undefined);
    }
  }

  async #open(params: Parameters<TeamSession["open"]>[0]): Promise<TeamSnapshot> {
    const snapshot = await this.#session.open(params);
    await this.#remembered.remember(snapshot.teamId);
    return snapshot;
  }

  /** A run goes on in the host when another team is shown, unseen: the user decides whether it shall. */
  async #canLeave(next: string | undefined): Promise<boolean> {
    const { state } = this.#session;
    if (state?.status !== "running" || state.teamId === next) return true;
    const choice = await window.showWarningMessage(
      `${state.name} is running.`,
      { modal: true, detail: "The window shows one team. What happens to this one while another is shown?" },
      INTERRUPT,
      LEAVE,
    );
    if (choice === INTERRUPT) await this.#actions.interrupt();
    return choice !== undefined;
  }

  #withDiagnostics(error: unknown, uri: Uri): unknown {
    if (!(error instanceof GavelError && error.data.code === "InvalidDefinition")) return error;
    const parsed = z.array(Problem).safeParse(error.data["problems"]);
    const problems = parsed.success ? parsed.data : [];
    this.#problems.set(uri, problems);
    return new ActionableError(error.message, ...errorActions(error.data, uri.toString()));
  }
}
