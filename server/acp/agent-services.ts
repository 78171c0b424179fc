import type { SessionRecord } from "../agents/index.ts";
import type { ApprovalOutcome, CallToApprove, Tool } from "../engine/index.ts";

/** A program to start, as the user is asked about it. */
export interface ProgramToStart {
  readonly participant: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** What the team file gives it, with `${env:NAME}` as it is written. */
  readonly env: Readonly<Record<string, string>>;
}

/** The files of a workspace at one time. */
export interface FileSnapshot {
  /** The shown paths of the files that have changed since; the snapshot is then as of now. */
  changed(signal: AbortSignal): Promise<readonly string[]>;
  /** A tool has written the file, by its absolute path with links resolved: that is no change of the agent's own. */
  wrote(path: string): Promise<void>;
  /** Notes the files that {@link changed} has found as changed by this call. */
  note(ref: string, what: string): Promise<void>;
}

/** What an agent's participant needs from the host. */
export interface AgentServices {
  readonly version: string;
  /** The source of the user's messages. */
  readonly user: string;
  /** The absolute folder of a program. @throws Error for one outside the workspace, in a sentence. */
  folder(cwd: string | undefined): Promise<string>;
  /** The environment of a program: the usual variables and its own. */
  environment(own: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>>;
  /** True once the user has allowed that this program is started. @throws Error where no one can be asked. */
  mayStart(program: ProgramToStart, signal: AbortSignal): Promise<boolean>;
  /** Reads a file as an agent wants it: `{ path, line, limit }`, with unsaved changes. */
  readonly readFile: Tool;
  /** Writes a whole file: `{ path, content }`. */
  readonly writeFile: Tool;
  /** Runs a command line: `{ command, cwd }`. */
  readonly runCommand: Tool;
  /** The preview of a file with that content, as a tool gives it. */
  preview(path: string, content: string): Promise<unknown>;
  /** A file's text with unsaved changes; null if there is none. @throws Error for one that cannot be read. */
  textOf(path: string): Promise<string | null>;
  /** The absolute path with links resolved, of a file that may not exist. */
  realPath(path: string): Promise<string>;
  /** The decision of the user's rules. */
  judge(call: CallToApprove): Promise<ApprovalOutcome>;
  /** Undefined where changes are not followed. */
  snapshot(signal: AbortSignal): Promise<FileSnapshot | undefined>;
  /** The session of an earlier process, if one is kept. */
  session(): Promise<SessionRecord | undefined>;
  keepSession(record: SessionRecord): Promise<void>;
  log(text: string): void;
}
