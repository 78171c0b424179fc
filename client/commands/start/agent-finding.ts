import type { ResultOf } from "../../../shared/contract/message-type.ts";
import type { AgentsCheck } from "../../../shared/contract/setup.ts";
import type { Finding } from "./finding.ts";

type Checked = ResultOf<typeof AgentsCheck>["agents"][number];

/** What was found out about one agent of a team, and what fixes it; `teamFile` is where it is described, if in a file. */
export function agentFinding({ name, state, text }: Checked, teamFile: string | undefined): Finding {
  const found = { what: `Agent ${name}`, text } as const;
  switch (state) {
    case "works":
      return { ...found, state };
    case "wrong":
      if (teamFile === undefined) return { ...found, state };
      return { ...found, state, fix: { label: "Edit Team File", run: (run) => run("gavel.editTeamFile", teamFile) } };
    case "refused":
      return { ...found, state: "wrong", fix: { label: "Check Again", run: () => undefined, checkAgain: true } };
    default:
      return state satisfies never;
  }
}
