import { window } from "vscode";
import type { LocalServer } from "./local-models.ts";

/** What to do about a server of models that runs without a model. */
export interface EmptyServerHint {
  /** A sentence. */
  readonly text: string;
  /** The shell command that gets a small model, where the server has one. */
  readonly command?: string;
}

/** Undefined for a server that has models. */
export function emptyServerHint({ server, models }: LocalServer): EmptyServerHint | undefined {
  if (models.length > 0) return undefined;
  if (server !== "Ollama") return { text: `${server} runs, but has no model. Download one in ${server}.` };
  const command = "ollama pull llama3.2";
  return { text: `Ollama runs, but has no model. Run "${command}", or pull another one.`, command };
}

/** Opens a terminal with a shell command for the user to run, or to change first. */
export function offerInTerminal(command: string): void {
  const terminal = window.createTerminal({ name: "Gavel" });
  terminal.show();
  terminal.sendText(command, false);
}
