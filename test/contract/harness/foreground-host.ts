import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { findStore } from "../../../cli/stores/find-store.ts";
import type { CommandLine, Ended } from "./command-line.ts";
import { JoinedClient } from "./joined-client.ts";

/** `gavel serve --foreground` of a test, which is killed at its end. */
export class ForegroundCommand implements AsyncDisposable {
  readonly process: ChildProcessWithoutNullStreams;
  /** The storage folder of its host. */
  readonly storagePath: string;
  /** Where it tells how it does. */
  readonly metrics: string;
  readonly ended: Promise<Ended>;

  private constructor(gavel: CommandLine, process: ChildProcessWithoutNullStreams, said: string) {
    this.process = process;
    this.storagePath = storageOf(gavel);
    this.metrics = /http:\S+(?=\/metrics)/.exec(said)?.[0] ?? "";
    let [stdout, stderr] = ["", said];
    process.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    process.stderr.on("data", (text: string) => {
      stderr += text;
    });
    this.ended = once(process, "close").then(([code]) => ({ code, stdout, stderr }));
  }

  /** Starts it, and waits until it serves. @throws Error with what it wrote when it ends before. */
  static async start(
    gavel: CommandLine,
    args: readonly string[] = [],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<ForegroundCommand> {
    const child = gavel.start(["serve", "--foreground", "--metrics", "127.0.0.1:0", ...args], variables);
    child.stdin.end();
    let said = "";
    for await (const text of child.stderr.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
      said += String(text);
      if (said.includes("It tells how it does")) return new ForegroundCommand(gavel, child, said);
    }
    throw new Error(`It ended without serving: ${said}`);
  }

  join(): Promise<JoinedClient> {
    return JoinedClient.join({ storagePath: this.storagePath });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill("SIGKILL");
    await this.ended;
  }
}

/** Where the command line has the threads of its folder. */
function storageOf({ folder, home }: CommandLine): string {
  const place = { platform: process.platform, home, variables: { XDG_DATA_HOME: home, LOCALAPPDATA: home } };
  return findStore(realpathSync.native(folder), { place }).storagePath;
}
