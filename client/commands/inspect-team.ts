import { window } from "vscode";
import { TeamInspectState } from "../../shared/contract/requests.ts";
import { inspectionText } from "../text/inspection-text.ts";
import type { Command } from "./command.ts";

/** Shows, as a document to read, what the team goes by now. Run again, it shows it anew. */
export const inspectTeam: Command = async ({ actions, opener, host, documents }) => {
  await opener.restore();
  const { teamId, name, status } = actions.team;
  const inspection = await host.request(TeamInspectState, { teamId });
  const text = inspectionText(name, status, inspection);
  await window.showTextDocument(documents.put(`${name.replaceAll("/", "∕")} (state).md`, teamId, text), {
    preview: false,
  });
};
