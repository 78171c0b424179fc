import { type PresentClient, TeamPresence } from "../../../shared/contract/presence.ts";
import type { Client } from "./client.ts";

/** Which clients have opened which team, and whose users are writing to it. One that is alone is told nothing. */
export class Presence {
  /** By team: whether the user of each client is writing. */
  readonly #teams = new Map<string, Map<Client, boolean>>();

  opened(teamId: string, client: Client): void {
    const team = this.#teams.get(teamId) ?? new Map<Client, boolean>();
    this.#teams.set(teamId, team);
    if (!team.has(client)) team.set(client, false);
    if (team.size > 1) this.#tell(teamId, team);
  }

  writing(teamId: string, client: Client, isWriting: boolean): void {
    const team = this.#teams.get(teamId);
    if (team === undefined || !team.has(client) || team.get(client) === isWriting) return;
    team.set(client, isWriting);
    if (team.size > 1) this.#tell(teamId, team);
  }

  left(client: Client): void {
    for (const [teamId, team] of this.#teams) if (team.delete(client)) this.#tell(teamId, team);
  }

  /** The team is deleted. */
  forget(teamId: string): void {
    this.#teams.delete(teamId);
  }

  #tell(teamId: string, team: ReadonlyMap<Client, boolean>): void {
    const all = [...team].map(([client, isWriting]) => ({ client, isWriting }));
    for (const told of team.keys()) {
      const clients = all.map(
        ({ client, isWriting }): PresentClient => ({
          id: client.id,
          user: client.user,
          program: client.program,
          isSelf: client === told,
          isWriting,
        }),
      );
      told.notify(TeamPresence.method, { teamId, clients });
    }
  }
}
