import type { LogOutputChannel } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { TerminalOutput } from "../context/terminal-output.ts";
import { Disposables } from "../disposables.ts";
import type { HostTools } from "../host/connection.ts";
import { registerEditorRequests } from "./editor-requests.ts";
import { ExtensionTools } from "./extension-tools.ts";

/** What VS Code and its extensions offer the host, until it is disposed of. */
export function hostTools(client: LanguageClient, terminal: TerminalOutput, log: LogOutputChannel): HostTools {
  const own = new Disposables();
  own.add(registerEditorRequests(client, terminal));
  const extensionTools = own.add(new ExtensionTools(client, log));
  return { update: () => extensionTools.update(), dispose: () => own.dispose() };
}
