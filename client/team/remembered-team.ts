import type { Memento } from "vscode";

const KEY = "gavel.teamId";

/** Which team the window showed last, so that it is there again after a reload. Only its id: the host has the rest. */
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
