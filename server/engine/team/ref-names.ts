import { callRef } from "../calls/call-ref.ts";
import { newId } from "../id.ts";
import { type TeamTree, teamsIn } from "../run/team-tree.ts";
import type { RefNames } from "./unique-refs.ts";

/** Refs for a state that a team loads: those of tools that still run here are taken. */
export function refNamesOf(tree: TeamTree): RefNames {
  const executors = [...teamsIn(tree)].flatMap(({ team }) => [...team.executors.values()]);
  const seq = tree.ledger.nextSeq;
  const origin = newId("state");
  let count = 0;
  return {
    taken: new Set(executors.flatMap(({ executing }) => [...executing])),
    newRef: () => callRef(seq, ++count, origin),
  };
}
