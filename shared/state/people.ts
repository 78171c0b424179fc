import type { Person, Role, User } from "../contract/people.ts";
import type { TeamState } from "./team-state.ts";

type Team = Pick<TeamState, "chair" | "people" | "newcomers">;

/** The role of a user in a team. In a team that has no chair yet it is whoever acts first. */
export function roleOf({ chair = "", people = [], newcomers = "member" }: Team, user: string): Role {
  if (chair === user || chair === "") return "chair";
  return people.find(({ id }) => id === user)?.role ?? newcomers;
}

/** The name of a user: the id of one whose name is not known. */
export const nameOf = ({ people = [] }: Pick<TeamState, "people">, user: string): string =>
  people.find(({ id }) => id === user)?.name ?? user;

/** The team after a change of a role; without a user, of that of newcomers. */
export function withRole<T extends Team>(state: T, user: User | undefined, role: Role): T {
  if (user === undefined) {
    const { newcomers, ...rest } = state;
    return { ...rest, ...(role === "observer" ? { newcomers: role } : {}) } as T;
  }
  const { people = [] } = state;
  const person: Person = { id: user.id, name: user.name, role };
  const others = people.map((one) =>
    role === "chair" && one.role === "chair" ? { ...one, role: "member" as const } : one,
  );
  const isKnown = people.some(({ id }) => id === user.id);
  const all = isKnown ? others.map((one) => (one.id === user.id ? person : one)) : [...others, person];
  return { ...state, people: all, ...(role === "chair" ? { chair: user.id } : {}) };
}

/** The team after an act of a user: who acts first on a team has its chair. */
export const withActor = <T extends Team>(state: T, by: string | undefined): T =>
  by === undefined || state.chair !== undefined ? state : { ...state, chair: by };
