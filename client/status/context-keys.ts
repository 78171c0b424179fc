import type { Disposable } from "vscode";
import { commands } from "vscode";
import { Disposables } from "../disposables.ts";
import type { HostProcess } from "../host/host-process.ts";
import { hasPartial } from "../team/partial-messages.ts";
import type { TeamSession } from "../team/team-session.ts";

/** Keeps the keys by which package.json shows a command only where it makes sense. */
export class ContextKeys implements Disposable {
  readonly #session: TeamSession;
  readonly #host: HostProcess;
  readonly #own = new Disposables();
  readonly #set = new Map<string, unknown>();

  constructor(session: TeamSession, host: HostProcess) {
    this.#session = session;
    this.#host = host;
    this.#own.add(session.onEvents(() => this.#update()));
    this.#own.add(session.onShown(() => this.#update()));
    this.#own.add(host.onStateChanged(() => this.#update()));
  }

  dispose(): void {
    this.#own.dispose();
  }

  #update(): void {
    const { state } = this.#session;
    this.#put("gavel.status", state?.status);
    this.#put("gavel.hasPendingTools", (state?.pendingTools.length ?? 0) > 0);
    this.#put("gavel.hasThread", (state?.threadLength ?? 0) > 0);
    this.#put("gavel.hasQueued", (state?.queued.length ?? 0) > 0);
    this.#put("gavel.hasPartial", state !== undefined && hasPartial(state));
    this.#put("gavel.hostState", this.#host.state);
    // The last: where a team is open, all else that is known of it is set.
    this.#put("gavel.teamOpen", state !== undefined);
  }

  #put(key: string, value: unknown): void {
    if (this.#set.get(key) === value && this.#set.has(key)) return;
    this.#set.set(key, value);
    void commands.executeCommand("setContext", key, value);
  }
}
