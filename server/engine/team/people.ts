import { invalidParams } from "../../../shared/contract/errors.ts";
import type { Role, User } from "../../../shared/contract/people.ts";
import type { TeamTree } from "../run/team-tree.ts";

/** Records who uses the team, as far as it is not known; see `Team.admit`. */
export function admit({ ledger }: TeamTree, user: User, chair: User): void {
  const known = (id: string) => ledger.state.people?.find((person) => person.id === id);
  if (known(chair.id) === undefined && ledger.state.people === undefined)
    ledger.record({ type: "role/changed", user: chair, role: "chair", by: chair.id });
  const person = known(user.id);
  if (person?.name === user.name) return;
  const role = person?.role ?? ledger.state.newcomers ?? "member";
  ledger.record({ type: "role/changed", user, role, by: user.id });
}

/** Records the change of a role; see `Team.setRole`. */
export function setRole({ ledger }: TeamTree, id: string | undefined, role: Role, by: string, taken?: true): void {
  const { people = [], chair, newcomers = "member" } = ledger.state;
  if (id === undefined) {
    if (role === "chair") throw invalid("role", "newcomers are members or observers");
    if (role !== newcomers) ledger.record({ type: "role/changed", role, by });
    return;
  }
  const person = people.find((one) => one.id === id);
  if (person === undefined) {
    const known =
      people.length === 0 ? "it has one user so far" : `its users are ${people.map((one) => one.id).join(", ")}`;
    throw invalid("user", `no user ${id} has opened the team; ${known}`);
  }
  if (id === chair && role !== "chair") throw invalid("role", "the team needs a chair; give the chair to another user");
  if (person.role === role) return;
  const { name } = person;
  ledger.record({ type: "role/changed", user: { id, name }, role, by, ...(taken === undefined ? {} : { taken }) });
}

const invalid = (path: string, message: string): Error => invalidParams("team/setRole", [{ path, message }]);
