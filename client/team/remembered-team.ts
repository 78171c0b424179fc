import type { Memento } from "vscode";

const KEY = "gavel.teamId";

/** The id of the team that the window showed last, to restore it after a reload. */
export class RememberedTeam {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  get teamId(): string | undefined {
    const stored = this.#memento.get<unknown>(KEY);
    return typeof stored === "string" ? stored : undefined;
  }

  async remember(teamId: string | undefined): Promise<void> {
    if (this.teamId !== teamId) await this.#memento.update(KEY, teamId);
  }
}
