import type { TeamKind } from "../../../shared/contract/definition.ts";
import { invalidDefinition } from "../../../shared/errors.ts";
import type { Manager } from "./manager.ts";
import { roundRobin } from "./round-robin.ts";

/** The team kinds of this version. */
export const TEAM_KINDS: readonly TeamKind[] = ["roundRobin"];

/** @throws GavelError for a kind that this version does not have. */
export function managerFor(kind: TeamKind): Manager {
  switch (kind) {
    case "roundRobin":
      return roundRobin;
    case "selector":
    case "swarm":
    case "graph":
    case "magentic":
      throw invalidDefinition("The team", [
        { path: "kind", message: `this version has no ${kind} teams yet; use ${TEAM_KINDS.join(", ")}` },
      ]);
  }
}
