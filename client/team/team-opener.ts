import type { LogOutputChannel, Uri } from "vscode";
import * as z from "zod";
import { GavelError } from "../../shared/contract/errors.ts";
import { Problem } from "../../shared/contract/problem.ts";
import { TeamFork, TeamList } from "../../shared/contract/requests.ts";
import type { TeamSnapshot, TeamSummary } from "../../shared/contract/team.ts";
import { errorActions } from "../common/error-actions.ts";
import { askModal } from "../dialogs/ask-modal.ts";
import { ActionableError } from "../errors/actionable-error.ts";
import type { TeamFileProblems } from "../errors/team-file-problems.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { RememberedTeam } from "./remembered-team.ts";
import type { TeamActions } from "./team-actions.ts";
import type { TeamSession } from "./team-session.ts";

const INTERRUPT = "Interrupt";
const LEAVE = "Keep Running";

/** Opens teams from files and from the store, and restores the window's last team. */
export class TeamOpener {
  readonly #host: HostProcess;
  readonly #session: TeamSession;
  readonly #actions: TeamActions;
  readonly #remembered: RememberedTeam;
  readonly #problems: TeamFileProblems;
  readonly #log: LogOutputChannel;
  #restored: Promise<void> | undefined;

  constructor(
    host: HostProcess,
    session: TeamSession,
    actions: TeamActions,
    remembered: RememberedTeam,
    problems: TeamFileProblems,
    log: LogOutputChannel,
  ) {
    this.#host = host;
    this.#session = session;
    this.#actions = actions;
    this.#remembered = remembered;
    this.#problems = problems;
    this.#log = log;
  }

  /** Restores the window's last team, once. A team that no longer exists is forgotten. */
  restore(): Promise<void> {
    this.#restored ??= this.#restore();
    return this.#restored;
  }

  /** The stored teams, newest first. */
  async stored(): Promise<readonly TeamSummary[]> {
    return (await this.#host.request(TeamList, {})).teams;
  }

  /**
   * Opens a team from its file, with the stored thread of `teamId` or a new one.
   * @throws ActionableError when the file has problems, with the action to open it at the first. They are marked in the
   * editor.
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

  /** Copies the open team and shows the copy. @throws GavelError while the team is running. */
  async fork(): Promise<TeamSnapshot> {
    const { teamId } = await this.#host.request(TeamFork, { teamId: this.#actions.team.teamId });
    return this.#open({ teamId });
  }

  /** Closes a team that has been deleted. */
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

  /** A run continues in the host while another team is shown, so the user is asked whether to interrupt it. */
  async #canLeave(next: string | undefined): Promise<boolean> {
    const { state } = this.#session;
    if (state?.status !== "running" || state.teamId === next) return true;
    const choice = await askModal(
      `${state.name} is still running. Do you want to interrupt it?`,
      "A window shows one team at a time. If you keep it running, it continues in the background.",
      INTERRUPT,
      LEAVE,
    );
    this.#log.info(`Another team is opened while ${state.name} is running: ${choice ?? "dialog closed"}.`);
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
