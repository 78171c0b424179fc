import { type QuickPickItem, QuickPickItemKind } from "vscode";
import type { ResultOf } from "../../../shared/contract/message-type.ts";
import type { AgentsFind, FoundAgent } from "../../../shared/contract/requests.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { plainText } from "../../common/plain-text.ts";

export type FoundAgents = ResultOf<typeof AgentsFind>;

/** An agent that was found, as a row of a list. */
export interface AgentRow extends QuickPickItem {
  readonly agent: FoundAgent;
}

/** The agents that can take part, in groups by where they are. */
export function agentRows(agents: readonly FoundAgent[]): readonly (AgentRow | QuickPickItem)[] {
  return [
    ...group(
      "Workspace",
      agents.filter(({ reference }) => reference !== undefined),
    ),
    ...group(
      "Your Own",
      agents.filter(({ reference }) => reference === undefined),
    ),
  ];
}

export const isAgentRow = (row: QuickPickItem | undefined): row is AgentRow => row !== undefined && "agent" in row;

/** The name that an agent has as a participant. */
export const nameOf = ({ participant }: FoundAgent): string => textOf(participant?.["name"]);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function group(label: string, agents: readonly FoundAgent[]): readonly (AgentRow | QuickPickItem)[] {
  const usable = agents.filter(({ participant }) => participant !== undefined);
  return usable.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...usable.map(rowOf)];
}

function rowOf(agent: FoundAgent): AgentRow {
  const { participant, file, leftOut } = agent;
  const lost = leftOut.length === 0 ? "" : `${countText(leftOut.length, "part")} not taken over`;
  return {
    agent,
    label: `$(hubot) ${plainText(nameOf(agent))}`,
    description: plainText([file, lost].filter(Boolean).join(" · ")),
    detail: plainText(textOf(participant?.["description"])),
  };
}
