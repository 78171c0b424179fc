import type { CancellationToken, LogOutputChannel, Memento } from "vscode";
import { Uri, workspace } from "vscode";
import type { ProgramQuestion } from "../../shared/contract/program.ts";
import { askModal } from "../dialogs/ask-modal.ts";
import { ProgramPermissions } from "./program-permissions.ts";

/** The programs that the user lets Gavel start. */
export class Programs {
  readonly #permissions: ProgramPermissions;

  constructor(everywhere: Memento, here: Memento, log: LogOutputChannel) {
    const fileName = (uri: string): string => workspace.asRelativePath(Uri.parse(uri));
    this.#permissions = new ProgramPermissions({ everywhere, here, ask: askModal, fileName, log });
  }

  get all(): readonly ProgramQuestion[] {
    return this.#permissions.all;
  }

  /** Whether the program may be started: never in Restricted Mode. Asks the user the first time. */
  async allows(question: ProgramQuestion, token: CancellationToken): Promise<boolean> {
    if (!workspace.isTrusted) return false;
    return this.#permissions.isAllowed(question, () => token.isCancellationRequested);
  }

  forget(question: ProgramQuestion): Promise<void> {
    return this.#permissions.forget(question);
  }
}
