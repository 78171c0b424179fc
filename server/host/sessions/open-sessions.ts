import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { GavelError, storageError } from "../../../shared/contract/errors.ts";
import type { TeamSummary } from "../../../shared/contract/team.ts";
import { summaryOf, type UnstoredTeam, unstoredTeam } from "../store/records/new-team.ts";
import { Session } from "./session.ts";
import type { SessionOptions } from "./session-options.ts";

/** The sessions of the teams that are open in this host, and of stored teams, which are opened when they are asked for. */
export class OpenSessions {
  readonly #options: SessionOptions;
  readonly #open = new Map<string, Session>();
  readonly #loading = new Map<string, Promise<Session | undefined>>();
  /** Teams that were new when nothing could be stored. */
  readonly #unstored = new Map<Session, UnstoredTeam>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** All that are open. */
  get all(): readonly Session[] {
    return [...this.#open.values()];
  }

  /** The session of a team that is open, as far as this host knows: another one may have deleted the team. */
  known(teamId: string): Session | undefined {
    return this.#open.get(teamId);
  }

  /** The team of that id has been deleted. */
  forget(teamId: string): void {
    this.#open.delete(teamId);
  }

  /**
   * The session of a team, open or stored. Another host may have deleted a team that is open here, and may even have created
   * another under its id.
   */
  async find(teamId: string): Promise<Session | undefined> {
    const { store } = this.#options;
    await store.ready();
    const session = this.#open.get(teamId);
    // While this host has claimed a team, no other can delete it.
    if (session !== undefined && store.locks.isHeld(session.key)) return session;
    if (session !== undefined && session.key === (await this.keyOf(teamId))) return session;
    if (this.#open.get(teamId) === session) this.#open.delete(teamId);
    return this.#open.get(teamId) ?? this.#stored(teamId);
  }

  /** Gives a stored team whose definition cannot be read the one that is given. */
  async replaceDamaged(teamId: string, definition: TeamDefinition, uri: string | undefined): Promise<void> {
    const { teams } = this.#options.store;
    const key = await teams.key(teamId);
    if (key === undefined || this.#open.get(teamId)?.key === key || !(await teams.isDamaged(teamId))) return;
    await teams.redefine(key, definition, uri, new Date().toISOString());
  }

  /** Makes a team; one that waits to be stored if the user continues without saving. @throws GavelError `StorageError`. */
  async create(teamId: string, definition: TeamDefinition, uri: string | undefined): Promise<Session> {
    const { store } = this.#options;
    const createdAt = new Date().toISOString();
    try {
      await store.teams.create(teamId, definition, uri, createdAt);
    } catch (error) {
      if (error instanceof GavelError) store.health.failed(error);
      if (store.health.status.state !== "unsaved") throw error;
      return this.#createUnstored(unstoredTeam({ teamId, definition, uri, createdAt }));
    }
    const created = await this.#stored(teamId);
    if (created === undefined)
      throw storageError(`Team "${teamId}" was deleted while it was being created; open it again.`);
    return created;
  }

  /** What a list shows of teams that wait to be stored, the last one first. */
  unstoredSummaries(): TeamSummary[] {
    for (const session of this.#unstored.keys())
      if (!session.hasUnstored || this.#open.get(session.teamId) !== session) this.#unstored.delete(session);
    return [...this.#unstored].reverse().map(([{ state, toldUnstored }, team]) => {
      const updatedAt = toldUnstored.at(-1)?.at ?? team.createdAt;
      return summaryOf(team, state, updatedAt);
    });
  }

  /** The user continues without saving. */
  async #createUnstored(team: UnstoredTeam): Promise<Session> {
    const session = await Session.openUnstored(team, this.#options);
    this.#open.set(team.teamId, session);
    this.#unstored.set(session, team);
    return session;
  }

  /** The store's number for a team; also for one that waits to be stored. */
  async keyOf(teamId: string): Promise<number | undefined> {
    const session = this.#open.get(teamId);
    return session?.hasUnstored === true ? session.key : this.#options.store.teams.key(teamId);
  }

  /** A team of the store, which is loaded once for all who ask meanwhile. */
  #stored(teamId: string): Promise<Session | undefined> {
    const known = this.#loading.get(teamId);
    if (known !== undefined) return known;
    const loading = this.#load(teamId).finally(() => this.#loading.delete(teamId));
    this.#loading.set(teamId, loading);
    return loading;
  }

  async #load(teamId: string): Promise<Session | undefined> {
    const record = await this.#options.store.teams.get(teamId);
    if (record === undefined) return undefined;
    const session = await Session.open(record, this.#options);
    this.#open.set(teamId, session);
    return session;
  }
}
