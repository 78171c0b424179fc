import type { Disposable } from "vscode";
import { GavelError } from "../../shared/contract/errors.ts";
import { Disposables } from "../disposables.ts";
import type { OpenTeams } from "./open-teams.ts";
import type { RememberedTeams } from "./remembered-teams.ts";

/** Restores the teams that the window had open, and remembers those that it has. */
export class RestoredTeams implements Disposable {
  readonly #teams: OpenTeams;
  readonly #remembered: RememberedTeams;
  readonly #own = new Disposables();
  #attempt: Promise<void> | undefined;
  /** The teams that are to be restored, or could not be: undefined before the first attempt. */
  #unrestored: readonly string[] | undefined;

  constructor(teams: OpenTeams, remembered: RememberedTeams) {
    this.#teams = teams;
    this.#remembered = remembered;
    this.#own.add(teams.onChanged(() => this.#remember()));
  }

  /**
   * Restores the teams, once; one that no longer exists is forgotten. One that cannot be restored hinders nothing with the
   * others: it is tried again while no team is open, and in the next window.
   * @throws the first reason why one cannot be restored.
   */
  restore(): Promise<void> {
    if (this.#attempt !== undefined) return this.#attempt;
    const left = this.#unrestored ?? this.#remembered.teamIds;
    if (this.#unrestored !== undefined && (left.length === 0 || this.#teams.all.length > 0)) return Promise.resolve();
    this.#attempt = this.#restore(left).finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  dispose(): void {
    this.#own.dispose();
  }

  async #restore(teamIds: readonly string[]): Promise<void> {
    const failed: { readonly teamId: string; readonly error: unknown }[] = [];
    for (const teamId of teamIds) {
      try {
        await this.#teams.open({ teamId }, { background: true });
      } catch (error) {
        if (!(error instanceof GavelError && error.data.code === "UnknownTeam")) failed.push({ teamId, error });
      }
    }
    this.#unrestored = failed.map(({ teamId }) => teamId);
    await this.#remember();
    if (failed[0] !== undefined) throw failed[0].error;
  }

  /** The active team is first, so that it is restored first. */
  async #remember(): Promise<void> {
    if (this.#unrestored === undefined) return;
    const { active, all } = this.#teams;
    const sessions = active === undefined ? all : [active, ...all.filter((session) => session !== active)];
    const open = sessions.flatMap(({ state }) => state?.teamId ?? []);
    await this.#remembered.remember([...open, ...this.#unrestored.filter((teamId) => !open.includes(teamId))]);
  }
}
