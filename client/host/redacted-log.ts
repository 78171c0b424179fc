import type { LogOutputChannel } from "vscode";

/**
 * A log that writes to another one, with every secret replaced. The set may grow; a secret is also found as part of a JSON
 * text, such as a trace of the protocol.
 */
export function redactedLog(log: LogOutputChannel, secrets: ReadonlySet<string>): LogOutputChannel {
  const redacted = (text: string): string => {
    let result = text;
    for (const secret of secrets) {
      for (const form of [secret, JSON.stringify(secret).slice(1, -1)]) result = result.replaceAll(form, "(secret)");
    }
    return result;
  };
  return {
    ...log,
    get logLevel() {
      return log.logLevel;
    },
    trace: (text) => log.trace(redacted(text)),
    debug: (text) => log.debug(redacted(text)),
    info: (text) => log.info(redacted(text)),
    warn: (text) => log.warn(redacted(text)),
    error: (error) => log.error(redacted(typeof error === "string" ? error : (error.stack ?? error.message))),
    append: (text) => log.append(redacted(text)),
    appendLine: (text) => log.appendLine(redacted(text)),
  };
}
