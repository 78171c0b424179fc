import { window } from "vscode";
import { ProgramsForget } from "../../../shared/contract/requests.ts";
import { programText, whatIs } from "../../../shared/text/program-text.ts";
import { plainText } from "../../common/plain-text.ts";
import { notify } from "../../dialogs/notify.ts";
import type { Command } from "../command.ts";

/**
 * Lists the programs that the user has allowed. Picking one takes the permission back, and stops it. What was entered for an
 * agent elsewhere is forgotten with it.
 */
export const allowedPrograms: Command = async ({ programs, inputs, host }) => {
  const allowed = programs.all;
  if (allowed.length === 0) {
    void notify("info", "No programs are allowed. Gavel asks before it starts an MCP server or an agent.");
    return;
  }
  const items = allowed.map((question) => ({
    question,
    label: plainText(question.name),
    description: question.use === "agent" ? "agent" : "MCP server",
    detail: plainText(programText(question)),
  }));
  const picked = await window.showQuickPick(items, {
    title: "Allowed Programs",
    placeHolder: "Select the program that may not be started any more",
    matchOnDetail: true,
  });
  if (picked === undefined) return;
  const { question } = picked;
  await programs.forget(question);
  const isRemoteAgent = question.use === "agent" && "url" in question.start;
  if (isRemoteAgent) await inputs.forget(question.from);
  if (host.state === "ready") await host.request(ProgramsForget, { digest: question.digest });
  void notify(
    "info",
    `Gavel asks again before it ${"url" in question.start ? "connects" : "starts"} the ${whatIs(question)}.`,
  );
};
