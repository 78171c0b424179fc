import { workspace } from "vscode";

/** Whether a dialog asks again before a call runs, as the user's settings say. */
export function asksInDialog(): boolean {
  return workspace.getConfiguration("gavel.approvals").get("confirm") === "dialog";
}
