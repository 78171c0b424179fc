import type { User } from "../../../shared/contract/people.ts";

/** Who is at a connection that does not come from the computer of the host. */
export type Guest =
  /** A user, by their credentials. */
  | { readonly user: User }
  /** Another host of the same store, which says for which of its users it acts. */
  | "host";
