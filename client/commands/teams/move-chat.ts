import { commands, type QuickPickItem, window } from "vscode";
import { viewContainers, viewIds } from "../../contributions.ts";
import type { Command } from "../command.ts";
import { openInEditor } from "./open-in-editor.ts";

interface Place extends QuickPickItem {
  readonly container: keyof typeof viewContainers | undefined;
}

const PLACES: readonly Place[] = [
  {
    label: "$(layout-sidebar-right) Secondary Side Bar",
    detail: "Beside the editors, like VS Code's own chat",
    container: "secondarySideBar",
  },
  {
    label: "$(layout-sidebar-left) Primary Side Bar",
    detail: "With an icon in the activity bar",
    container: "sideBar",
  },
  { label: "$(open-preview) Editor", detail: "The active team in a tab of its own", container: undefined },
];

/** Moves Gavel's views, or opens the chat in an editor tab. VS Code remembers where views are. */
export const moveChat: Command = async (services, argument) => {
  const picked = await window.showQuickPick(PLACES, {
    title: "Move Chat",
    placeHolder: "Select where the chat is shown",
  });
  if (picked === undefined) return;
  if (picked.container === undefined) {
    await openInEditor(services, argument);
    return;
  }
  const destinationId = viewContainers[picked.container];
  await commands.executeCommand("vscode.moveViews", { viewIds: Object.values(viewIds), destinationId });
  await services.chat.focus();
};
