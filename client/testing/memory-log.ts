import type { LogOutputChannel } from "vscode";

/** A log that keeps its lines, each with its level: `info: Starting the agent host.` */
export function memoryLog(): { readonly log: LogOutputChannel; readonly lines: string[] } {
  const lines: string[] = [];
  const at = (level: string) => (text: string | Error) => void lines.push(`${level}: ${text}`);
  const nothing = (): void => undefined;
  const log: LogOutputChannel = {
    name: "Gavel",
    logLevel: 1,
    onDidChangeLogLevel: () => ({ dispose: nothing }),
    trace: at("trace"),
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    append: at("append"),
    appendLine: at("appendLine"),
    replace: nothing,
    clear: nothing,
    show: nothing,
    hide: nothing,
    dispose: nothing,
  };
  return { log, lines };
}
