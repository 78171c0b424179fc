import { type QuickPickItem, QuickPickItemKind, window } from "vscode";
import { AgentsFind, type FoundAgent } from "../../../shared/contract/requests.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { plainText } from "../../common/plain-text.ts";
import { notify } from "../../dialogs/notify.ts";
import { openFolders } from "../../files/work-folders.ts";
import { agentTeamText } from "../../start/agent-team-text.ts";
import { freeTeamFile } from "../../start/new-team-file.ts";
import { requireTrust } from "../../trust.ts";
import type { Command, Services } from "../command.ts";
import { offerToSave, unsaved } from "../start/draft-from-task.ts";
import { agentRows, type FoundAgents, isAgentRow, nameOf } from "./found-agents.ts";

const title = "New Team from Agent Files";

type Row = QuickPickItem & { readonly own?: true };

/**
 * Makes a team file from agents of other tools that are in the workspace: shows what was found and what is not taken over,
 * and then the file, which the user saves or not.
 */
export const newTeamFromAgents: Command = async (services) => {
  requireTrust("Agent files are not read in Restricted Mode.");
  const chosen = await pickAgents(services, false);
  if (chosen === undefined) return;
  const { agents, found } = chosen;
  const kind = await pickKind(agents);
  if (kind === undefined) return;
  const folder = openFolders()[0]?.uri ?? services.folders.teams;
  const text = agentTeamText({
    kind,
    agents,
    instructionFiles: found.instructionFiles.slice(0, 1),
    skills: found.skills,
  });
  const document = await unsaved(await freeTeamFile(folder, "agents"), text);
  void offerToSave(services, document);
};

interface Chosen {
  readonly agents: readonly FoundAgent[];
  readonly found: FoundAgents;
}

/** @param own whether the user's own agents are among those that can be chosen. */
async function pickAgents(services: Services, own: boolean): Promise<Chosen | undefined> {
  const found = await services.host.request(AgentsFind, { own });
  const unusable = found.agents.filter(({ problem }) => problem !== undefined);
  const rows: (QuickPickItem & { readonly picked?: boolean })[] = [
    ...agentRows(found.agents).map((row) => ({ ...row, picked: isAgentRow(row) && row.agent.reference !== undefined })),
    ...(unusable.length === 0 ? [] : [{ label: "Cannot Be Used", kind: QuickPickItemKind.Separator }]),
    ...unusable.map(({ file, problem = "" }) => ({
      label: `$(warning) ${plainText(file)}`,
      detail: plainText(problem),
    })),
    ...(own ? [] : [{ label: "Other", kind: QuickPickItemKind.Separator }, OWN]),
  ];
  if (found.agents.length === 0 && own) {
    void notify(
      "info",
      "There are no agent files: none in .github/agents, .claude/agents, .roomodes or ~/.claude/agents.",
    );
    return undefined;
  }
  const picked = await window.showQuickPick(rows, {
    title,
    placeHolder: "Select the agents of the team",
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) return undefined;
  if (picked.some((row: Row) => row.own)) return pickAgents(services, true);
  const agents = picked.filter(isAgentRow).map(({ agent }) => agent);
  return agents.length === 0 ? undefined : { agents, found };
}

const OWN: Row = {
  label: "$(home) Your Own Agents…",
  detail: "Reads those in ~/.claude/agents. They are copied into the team file.",
  own: true,
};

/** How the agents work together. */
async function pickKind(agents: readonly FoundAgent[]) {
  const names = agents.map(nameOf).join(", ");
  const kinds = [
    { label: "$(arrow-right) Everyone in Turn", detail: `In this order: ${plainText(names)}.`, how: "roundRobin" },
    { label: "$(sparkle) A Model Selects the Next Speaker", detail: "By what each is for.", how: "selector" },
    { label: "$(checklist) An Orchestrator Plans and Assigns", detail: "It also answers you.", how: "magentic" },
  ] as const;
  const placeHolder = `How do the ${countText(agents.length, "agent")} work together?`;
  return (await window.showQuickPick(kinds, { title, placeHolder, matchOnDetail: true }))?.how;
}
