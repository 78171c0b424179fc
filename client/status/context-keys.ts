import type { Disposable } from "vscode";
import { commands } from "vscode";
import type { ShownChanges } from "../changes/shown-changes.ts";
import { hasPartial } from "../common/partial-messages.ts";
import { type TeamKey, teamKeys } from "../contributions.ts";
import { Disposables } from "../disposables.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { TeamSource } from "../session/team-source.ts";

/** Sets the context keys by which package.json shows and enables commands. */
export class ContextKeys implements Disposable {
  readonly #session: TeamSource;
  readonly #host: HostProcess;
  readonly #changes: ShownChanges;
  readonly #own = new Disposables();
  readonly #set = new Map<string, unknown>();

  constructor(session: TeamSource, host: HostProcess, changes: ShownChanges) {
    this.#session = session;
    this.#host = host;
    this.#changes = changes;
    this.#own.add(changes.onChanged(() => this.#update()));
    this.#own.add(session.onStateChanged(() => this.#update()));
    this.#own.add(host.onStateChanged(() => this.#update()));
  }

  dispose(): void {
    this.#own.dispose();
  }

  #update(): void {
    const { state } = this.#session;
    const values: Readonly<Record<TeamKey, unknown>> = {
      "gavel.status": state?.status,
      "gavel.hasPendingTools": (state?.pendingTools.length ?? 0) > 0,
      "gavel.stopRequested": state?.stopRequested === true,
      "gavel.hasThread": (state?.threadLength ?? 0) > 0,
      "gavel.hasQueued": (state?.queued.length ?? 0) > 0,
      "gavel.hasPartial": state !== undefined && hasPartial(state),
      "gavel.hasUsers": (state?.people?.length ?? 0) > 1,
      "gavel.hostState": this.#host.state,
      "gavel.hasChanges": this.#changes.isAny,
      "gavel.changedFiles": this.#changes.paths,
      "gavel.teamOpen": state !== undefined,
    };
    // In the order of the list: `gavel.teamOpen` is last, so that the others are set by then.
    for (const key of teamKeys) this.#put(key, values[key]);
  }

  #put(key: TeamKey, value: unknown): void {
    if (this.#set.get(key) === value && this.#set.has(key)) return;
    this.#set.set(key, value);
    void commands.executeCommand("setContext", key, value);
  }
}
