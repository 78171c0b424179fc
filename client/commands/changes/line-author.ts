import { window } from "vscode";
import { isRecord } from "../../../shared/json-record.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { notify } from "../../dialogs/notify.ts";
import type { Command, Services } from "../command.ts";

interface Call {
  readonly teamId: string;
  readonly ref: string;
}

/** Shows the call in the chat that wrote a line: that of a hover's link, or the one with the cursor. */
export const showLineAuthor: Command = async (services, argument) => {
  const call = isCall(argument) ? argument : await callAtCursor(services);
  if (call === undefined) return;
  const session = services.teams.find(call.teamId);
  if (session === undefined) throw new Error("The thread is not open. Open it from Recent Threads, and try again.");
  services.teams.activate(session);
  await services.chat.reveal({ type: "showCallRow", teamId: call.teamId, ref: call.ref });
};

/** Tells the user when there is none. */
async function callAtCursor({ opener, authors }: Services): Promise<Call | undefined> {
  await opener.restore();
  const editor = window.activeTextEditor;
  if (editor === undefined) throw new Error("Put the cursor into a line of a file, and try again.");
  const author = await authors.at(editor.document.uri, editor.selection.active.line);
  if (author?.written.ref !== undefined) return { teamId: author.teamId, ref: author.written.ref };
  const who = author === undefined ? undefined : visibleText(author.written.participant).text;
  const sentence = who === undefined ? "The team did not write this line." : `${who} wrote this line.`;
  void notify("info", sentence);
  return undefined;
}

const isCall = (value: unknown): value is Call =>
  isRecord(value) && typeof value["teamId"] === "string" && typeof value["ref"] === "string";
