import type { ToldRecord } from "./told-record.ts";

/** What is kept of a session of an agent, so that it can be resumed. */
export interface SessionRecord {
  readonly session: string;
  /** The program, or the address, that made it. */
  readonly program: string;
  /** What it works on, where that goes on without Gavel. */
  readonly task?: string | undefined;
  readonly told: ToldRecord;
}
