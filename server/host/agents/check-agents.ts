import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import type { ResultOf } from "../../../shared/contract/message-type.ts";
import type { AgentsCheck } from "../../../shared/contract/setup.ts";
import { checkCard, type RemoteAccess } from "../../a2a/index.ts";
import { type AgentServices, checkProgram } from "../../acp/index.ts";

type Checked = ResultOf<typeof AgentsCheck>["agents"][number];

export interface CheckServices {
  readonly programs: Pick<AgentServices, "folder" | "environment">;
  readonly remote: RemoteAccess;
}

/** Checks the agents of a team, and of those nested in it. */
export async function checkAgents(
  participants: readonly ParticipantDefinition[],
  services: CheckServices,
  signal: AbortSignal,
): Promise<Checked[]> {
  const checks = agentsIn(participants, "").map(async ([name, definition]): Promise<Checked> => {
    if (definition.kind === "a2a")
      return { name, kind: "a2a", ...(await checkCard({ definition, services: services.remote }, signal)) };
    return { name, kind: "acp", ...(await checkProgram({ definition, services: services.programs })) };
  });
  return Promise.all(checks);
}

const agentsIn = (
  participants: readonly ParticipantDefinition[],
  above: string,
): readonly (readonly [name: string, agent: ParticipantDefinition])[] =>
  participants.flatMap((one) => {
    const name = `${above}${one.name}`;
    if (one.team !== undefined) return agentsIn(one.team.participants, `${name}/`);
    return one.kind === "acp" || one.kind === "a2a" ? [[name, one] as const] : [];
  });
