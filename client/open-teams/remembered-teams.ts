import type { Memento } from "vscode";
import * as z from "zod";

const KEY = "gavel.openTeams";
/** Until version 0.3, a window had one team. */
const KEY_UNTIL_0_3 = "gavel.teamId";

/** A window with more open teams restores the first ones. */
const MAX_TEAMS = 100;
const TeamIds = z.array(z.string()).max(MAX_TEAMS);

/** The ids of the teams that the window had open, the active one first, to restore them after a reload. */
export class RememberedTeams {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  get teamIds(): readonly string[] {
    const stored = TeamIds.safeParse(this.#memento.get<unknown>(KEY));
    if (stored.success) return stored.data;
    const last = this.#memento.get<unknown>(KEY_UNTIL_0_3);
    return typeof last === "string" ? [last] : [];
  }

  async remember(teamIds: readonly string[]): Promise<void> {
    const first = teamIds.slice(0, MAX_TEAMS);
    if (this.teamIds.join("\n") !== first.join("\n")) await this.#memento.update(KEY, first);
  }
}
