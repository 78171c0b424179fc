import type { LogOutputChannel } from "vscode";

const MOST_LINES = 80;
const MOST_CHARACTERS = 400;

/** The last lines of the log, for a report of a problem. */
export class RecentLines {
  readonly #lines: string[] = [];

  get all(): readonly string[] {
    return this.#lines;
  }

  add(level: string, text: string): void {
    const [line = ""] = text.slice(0, MOST_CHARACTERS).split("\n");
    this.#lines.push(`${new Date().toISOString().slice(11, 19)} [${level}] ${line}`);
    if (this.#lines.length > MOST_LINES) this.#lines.shift();
  }
}

/** A log that also keeps its last lines, without those for debugging. */
export function recordedLog(log: LogOutputChannel, recent: RecentLines): LogOutputChannel {
  return {
    ...log,
    get logLevel() {
      return log.logLevel;
    },
    info: (text, ...more) => {
      recent.add("info", text);
      log.info(text, ...more);
    },
    warn: (text, ...more) => {
      recent.add("warning", text);
      log.warn(text, ...more);
    },
    error: (error, ...more) => {
      recent.add("error", typeof error === "string" ? error : error.message);
      log.error(error, ...more);
    },
  };
}
