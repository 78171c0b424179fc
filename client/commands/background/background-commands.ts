import { type Uri, window, workspace } from "vscode";
import * as z from "zod";
import type { BackgroundCommand } from "../../../shared/contract/background-command.ts";
import { commandEndText, shortCommand, starterOf } from "../../../shared/text/command-text.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import { plainText } from "../../common/plain-text.ts";
import { terminalText } from "../../context/terminal-text.ts";
import type { TeamActions } from "../../session/team-actions.ts";
import type { Command } from "../command.ts";

/** The id of a command, which the chat gives. */
const Id = z.string();

/** The documents that follow the output of a command. */
const followed = new Set<string>();

/** Ends a command that a participant has started in the background. */
export const stopCommand: Command = async ({ actions, opener }, argument) => {
  await opener.restore();
  const command = await pickCommand(actions, argument, {
    title: "Stop Background Command",
    isOffered: ({ end }) => end === undefined,
    none: "No command of this team runs in the background.",
  });
  if (command !== undefined) await actions.stopCommand(command.id);
};

/** Opens the output of a background command as a read-only document, which follows it. */
export const showCommandOutput: Command = async ({ actions, opener, documents }, argument) => {
  await opener.restore();
  const command = await pickCommand(actions, argument, {
    title: "Show Background Command Output",
    isOffered: () => true,
    none: "This team has run no command in the background.",
  });
  if (command === undefined) return;
  const { teamId } = actions.team;
  const show = async (): Promise<{ readonly uri: Uri; readonly next: number; readonly isOver: boolean }> => {
    const read = await actions.commandOutput(command.id);
    const uri = documents.put(`${command.id} output.txt`, teamId, outputText(read));
    return { uri, next: read.next, isOver: read.command.end !== undefined };
  };
  let shown = await show();
  const uri = shown.uri.toString();
  await window.showTextDocument(shown.uri, { preview: false });
  if (followed.has(uri)) return;
  followed.add(uri);
  const isOpen = (): boolean => workspace.textDocuments.some((document) => document.uri.toString() === uri);
  const follow = async (): Promise<void> => {
    while (!shown.isOver && isOpen()) {
      await actions.commandOutput(command.id, shown.next);
      if (isOpen()) shown = await show();
    }
  };
  // The host may stop, or the team be deleted: the document then shows what was read last.
  void follow()
    .catch(() => {})
    .finally(() => followed.delete(uri));
};

interface Offer {
  readonly title: string;
  readonly isOffered: (command: BackgroundCommand) => boolean;
  readonly none: string;
}

/** The command that the chat names, else the one that the user picks. */
async function pickCommand(
  { team }: TeamActions,
  argument: unknown,
  { title, isOffered, none }: Offer,
): Promise<BackgroundCommand | undefined> {
  const commands = (team.commands ?? []).filter(isOffered);
  const given = Id.safeParse(argument);
  if (given.success) {
    const found = commands.find(({ id }) => id === given.data);
    if (found !== undefined) return found;
  }
  if (commands.length === 0) throw new Error(none);
  const items = commands.toReversed().map((command) => ({
    command,
    label: plainText(visibleLines(shortCommand(command.command))),
    description: plainText(visibleLines(`${command.id} of ${starterOf(command)}`)),
    detail: command.end === undefined ? "Running" : plainText(visibleLines(commandEndText(command.end))),
  }));
  return (await window.showQuickPick(items, { title, placeHolder: "Select a command", matchOnDescription: true }))
    ?.command;
}

type Output = Awaited<ReturnType<TeamActions["commandOutput"]>>;

/** The command, its output as it looks in a terminal, and how it ended. */
function outputText({ command, text, isKept }: Output): string {
  const output = isKept
    ? terminalText(text)
    : "[The output is not kept, as the host that ran the command has stopped.]";
  const state = command.end === undefined ? "[Running]" : `[Ended: ${commandEndText(command.end)}]`;
  const shown = `$ ${command.command}\n${output}${output === "" || output.endsWith("\n") ? "" : "\n"}${state}\n`;
  return visibleLines(shown);
}
