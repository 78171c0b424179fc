import { type GavelError, notAuthorized } from "../../../shared/contract/errors.ts";
import type { Role, User } from "../../../shared/contract/people.ts";
import { nameOf, roleOf } from "../../../shared/state/people.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { assertAuthorized, leastRole, refusal } from "./authority.ts";

export interface PeopleOptions {
  /** The id of the user who acts now. */
  readonly user: () => string;
  /** A user who has a client at this host; undefined for another. */
  readonly connected: (user: string) => User | undefined;
  /** For a guest of another computer, the id of the user who serves them; undefined for a user of this computer. */
  readonly servedBy?: () => string | undefined;
}

/** The longest name that is kept of a user. */
const NAME_LENGTH = 200;

/** The users of the teams: who they are, and what their roles allow. */
export class People {
  readonly #options: PeopleOptions;
  /** Who made a team, or acted on it first, while its state does not say so. */
  readonly #first = new Map<string, string>();

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  /** The user who acts now has made the team. */
  created(teamId: string): void {
    this.#first.set(teamId, this.#options.user());
  }

  forget(teamId: string): void {
    this.#first.delete(teamId);
  }

  /** @throws GavelError `NotAuthorized` if the user who acts now may not do that. */
  assertMay(state: TeamState, method: string, params: unknown): void {
    const user = this.#options.user();
    const needs = leastRole(method, params);
    if (needs === "observer") return;
    assertAuthorized(this.#withChair(state), { user, method, params });
    if (this.#withChair(state).chair === undefined) this.#first.set(state.teamId, user);
  }

  /** The role of the user who acts now. */
  roleIn(state: TeamState): Role {
    return roleOf(this.#withChair(state), this.#options.user());
  }

  /** @throws GavelError `NotAuthorized` unless the user who acts now has the chair, or the team has none yet. */
  assertChair(state: TeamState, what: string): void {
    const team = this.#withChair(state);
    const user = this.#options.user();
    if (roleOf(team, user) !== "chair") throw refusal(team, { user, needs: "chair", what });
  }

  /** Who is to be noted as a user of the team, and its chair: undefined while there is only one user. */
  admission(state: TeamState): { readonly user: User; readonly chair: User } | undefined {
    const { chair, people } = this.#withChair(state);
    const user = this.#known(this.#options.user());
    if (chair === undefined || (people === undefined && chair === user.id)) return undefined;
    if (people?.some(({ id, name }) => id === user.id && name === user.name)) return undefined;
    return { user, chair: this.#known(chair) };
  }

  /**
   * Whether the user who acts now takes the chair, with this change of a role, from somebody who is not there.
   * @throws GavelError `NotAuthorized` if it is neither that, nor a change by the chair.
   */
  takesChair(state: TeamState, { user, role }: { readonly user?: string | undefined; readonly role: Role }): boolean {
    const team = this.#withChair(state);
    const acting = this.#options.user();
    if (roleOf(team, acting) === "chair") return false;
    // What is on this computer stays its user's while they are away.
    const takes = role === "chair" && user === acting && this.#options.servedBy?.() === undefined;
    if (!takes || team.chair === undefined) throw refusal(team, { user: acting, needs: "chair", what: "change roles" });
    if (this.#options.connected(team.chair) === undefined) return true;
    throw this.chairIsConnected(state);
  }

  /** The user who has the chair, if someone does. */
  chairOf(state: TeamState): string | undefined {
    return this.#withChair(state).chair;
  }

  /** Why the user who acts now cannot take the chair. */
  chairIsConnected(state: TeamState): GavelError {
    const team = this.#withChair(state);
    const name = team.chair === undefined ? "Somebody" : nameOf(team, team.chair);
    return notAuthorized(`${name} has the chair and is connected; ask ${name} to hand it over.`, {
      role: roleOf(team, this.#options.user()),
      needs: "chair",
      chair: team.chair,
    });
  }

  #withChair(state: TeamState): TeamState {
    // A guest is not the first: the team is of who serves it.
    const chair = state.chair ?? this.#first.get(state.teamId) ?? this.#options.servedBy?.();
    return chair === undefined ? state : { ...state, chair };
  }

  #known(id: string): User {
    const name = this.#options.connected(id)?.name ?? id;
    return { id, name: (name === "" ? id : name).slice(0, NAME_LENGTH) };
  }
}
