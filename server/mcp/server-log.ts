import { plainLine } from "../programs/index.ts";
import { MCP_LIMITS } from "./limits.ts";

const PERIOD_MS = 10_000;
/** Characters of a line that are looked at. */
const MAX_READ = 4 * MCP_LIMITS.logLine;

/** What a server logs, as lines for the host's log: not more than fit into a log that people read. */
export class ServerLog {
  readonly #write: (line: string) => void;
  #since = 0;
  #lines = 0;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  add(line: string): void {
    const now = performance.now();
    if (now - this.#since > PERIOD_MS) {
      this.#since = now;
      this.#lines = 0;
    }
    this.#lines += 1;
    if (this.#lines <= MCP_LIMITS.logLines)
      this.#write(plainLine(line.slice(0, MAX_READ)).slice(0, MCP_LIMITS.logLine));
    else if (this.#lines === MCP_LIMITS.logLines + 1) this.#write("It logs too much; some lines are left out.");
  }
}
