import { Uri, window } from "vscode";
import type { Attached } from "../../common/attachments.ts";
import { linesOfSelection } from "../../context/chat-context.ts";
import { requireTrust } from "../../trust.ts";
import type { Command, Services } from "../command.ts";

/**
 * Attaches to the composer what the user has chosen: the files of the explorer or the editor, of the editor with a selection
 * only that.
 */
export const addToChat: Command = async (services, argument, selected) => {
  requireTrust();
  const { chat, opener } = services;
  await opener.restore();
  const several = Array.isArray(selected) ? selected.filter((one) => one instanceof Uri) : [];
  const attached =
    several.length > 1
      ? await services.context.attachFiles(several)
      : await attach(services, argument instanceof Uri ? argument : undefined);
  await chat.focus(attached);
};

async function attach({ context }: Services, chosen: Uri | undefined): Promise<Attached> {
  const editor = window.activeTextEditor;
  const uri = chosen ?? editor?.document.uri;
  if (uri === undefined) throw new Error("No file is open. Open one, or choose one in the Explorer.");
  const isActive = editor !== undefined && editor.document.uri.toString() === uri.toString();
  if (!isActive || editor.selection.isEmpty) return context.attachFiles([uri]);
  return context.attachLines(uri, linesOfSelection(editor.selection));
}
