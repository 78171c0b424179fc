import { env, Uri, window, workspace } from "vscode";
import { notify } from "../dialogs/notify.ts";
import type { Command } from "./command.ts";
import { threadText } from "./threads/export-thread.ts";

const COPY = "Copy Report";
const OPEN = "Open Issue Page";

/** Opens a report of a problem as a document. Nothing leaves before the user has seen it and chosen to copy it. */
export const reportProblem: Command = async (services) => {
  const { reports, teams } = services;
  const { teamId, threadLength = 0 } = teams.active?.state ?? {};
  const withThread = teamId === undefined || threadLength === 0 ? false : await askForThread();
  if (withThread === undefined) return;
  const thread = withThread && teamId !== undefined ? await threadText(services, teamId) : undefined;
  const document = await workspace.openTextDocument({ language: "markdown", content: reports.text(thread) });
  await window.showTextDocument(document, { preview: false });
  const { page } = reports;
  const choice = await notify(
    "info",
    "Read and complete the report. Nothing has been sent.",
    COPY,
    ...(page === undefined ? [] : [OPEN]),
  );
  if (choice === undefined) return;
  // As the user has changed it meanwhile. An address cannot hold a whole report, so it is pasted there.
  await env.clipboard.writeText(document.getText());
  if (choice === OPEN && page !== undefined) await env.openExternal(Uri.parse(page, true));
  else await notify("info", "The report is in the clipboard.");
};

/** Undefined if the user closes the list. */
async function askForThread(): Promise<boolean | undefined> {
  const picked = await window.showQuickPick(
    [
      {
        label: "Without the Thread",
        description: "Recommended",
        detail: "Versions, settings, sizes and the redacted log",
        withThread: false,
      },
      {
        label: "With the Thread",
        detail: "Also every message and tool call of the active team, as they are",
        withThread: true,
      },
    ],
    { title: "Report a Problem", placeHolder: "Select what the report has" },
  );
  return picked?.withThread;
}
