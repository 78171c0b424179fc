import { window } from "vscode";
import { TeamInspectState } from "../../../shared/contract/requests.ts";
import { inspectionText } from "../../text/inspection-text.ts";
import type { Command } from "../command.ts";

/** Opens the team's present state as a read-only document; run again, it updates the document. */
export const inspectOpenTeam: Command = async ({ actions, opener, host, documents }) => {
  await opener.restore();
  const { teamId, name, status } = actions.team;
  const inspection = await host.request(TeamInspectState, { teamId });
  const text = inspectionText(name, status, inspection);
  await window.showTextDocument(documents.put(`${name.replaceAll("/", "∕")} (state).md`, teamId, text), {
    preview: false,
  });
};
