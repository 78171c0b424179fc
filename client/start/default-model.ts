import { lm, workspace } from "vscode";

/** Whether participants whose team file names no model have one: by the setting, or any of VS Code's own. */
export async function hasDefaultModel(): Promise<boolean> {
  const setting = workspace.getConfiguration("gavel").get<unknown>("model");
  return (setting !== null && setting !== undefined) || (await lm.selectChatModels()).length > 0;
}
