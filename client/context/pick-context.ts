import { type QuickPickItem, window } from "vscode";
import type { Attached } from "../common/attachments.ts";
import type { ContextSource } from "../common/page-messages.ts";
import { plainText } from "../common/plain-text.ts";
import type { ChatContext } from "./chat-context.ts";

type Choice = QuickPickItem & { readonly attach: () => Promise<Attached | undefined> };

const sources: readonly (readonly [ContextSource, string, string])[] = [
  ["selection", "$(list-selection) Selection", "What is selected in the active editor"],
  ["problems", "$(warning) Problems", "What the Problems view lists"],
  ["terminal", "$(terminal) Terminal", "The last command and its output"],
];

/** Asks what to attach to a message to the team, and attaches it; undefined when the list was closed. */
export async function pickContext(context: ChatContext, teamId: string | undefined): Promise<Attached | undefined> {
  const files = await context.find("", teamId);
  const items: readonly Choice[] = [
    ...sources.map(([source, label, detail]) => ({ label, detail, attach: () => context.attachSource(source) })),
    {
      label: "$(folder-opened) Files from Disk…",
      detail: "Also files outside the workspace",
      attach: () => pickFiles(context),
    },
    ...files.map(({ uri, path }) => ({
      label: `$(file) ${plainText(path.split("/").at(-1) ?? path)}`,
      description: plainText(path),
      attach: () => context.attachFiles([uri]),
    })),
  ];
  const picked = await window.showQuickPick(items, {
    title: "Add Context",
    placeHolder: "Select what to attach to the message",
    matchOnDescription: true,
  });
  return picked?.attach();
}

async function pickFiles(context: ChatContext): Promise<Attached | undefined> {
  const uris = await window.showOpenDialog({ canSelectMany: true, openLabel: "Attach", title: "Attach Files" });
  return uris === undefined ? undefined : context.attachFiles(uris);
}
