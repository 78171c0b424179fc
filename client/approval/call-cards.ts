import type { Disposable } from "vscode";
import { Uri } from "vscode";
import type { CallCard } from "../common/call-card.ts";
import { Disposables } from "../disposables.ts";
import { Emitter } from "../emitter.ts";
import { watchFile } from "../files/watch-file.ts";
import type { TeamActions } from "../session/team-actions.ts";
import { type CallQuestion, questionOf } from "./call-question.ts";
import { QuietCall } from "./quiet-call.ts";

/** A pending call that the user is shown, on the chat's card or in a diff. */
export interface ShownCall extends CallQuestion {
  readonly actions: TeamActions;
  readonly teamId: string;
}

/** How long the file of a shown call is left alone before the call is shown again, in milliseconds: not at every key. */
const QUIET_MS = 250;

const noop = (): void => {};

interface Entry {
  readonly call: ShownCall;
  readonly asked: number;
  readonly watch: Disposable;
}

/** The pending calls that the user is shown. What changes in the meantime, such as a file, is shown again. */
export class CallCards implements Disposable {
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new Emitter<ShownCall>());
  readonly #removed = this.#own.add(new Emitter<ShownCall>());
  readonly #shown = new Map<string, Entry>();
  /** Counts the questions to the host: of two answers, that to the later question is newer. */
  #asked = 0;

  /** Fires with each call to show, and again when something about it has changed. */
  readonly onChanged = this.#changed.event;
  /** Fires when a call is no longer pending. */
  readonly onRemoved = this.#removed.event;

  /** Shows a pending call; undefined when it is not pending any more. */
  async show(actions: TeamActions, ref: string): Promise<ShownCall | undefined> {
    const { teamId } = actions.team;
    const key = `${teamId}\n${ref}`;
    const asked = ++this.#asked;
    const question = await questionOf(actions, ref);
    if (question === undefined || actions.pendingCall(ref) === undefined) {
      this.#remove(key);
      return undefined;
    }
    const before = this.#shown.get(key);
    if (before !== undefined && before.asked > asked) return before.call;
    const hasChanged = before !== undefined && before.call.card.digest !== question.card.digest;
    const changed = hasChanged || before?.call.card.changed === true;
    const card: CallCard = changed ? { ...question.card, changed } : question.card;
    const call = { ...question, card, actions, teamId };
    const watch = before?.watch ?? this.#watch(call);
    this.#shown.set(key, { call, asked, watch });
    this.#changed.fire(call);
    return call;
  }

  /** The call, if it is still what the user was shown under this digest. Otherwise it is shown as it is now. */
  async confirmed(actions: TeamActions, ref: string, digest: string): Promise<ShownCall | undefined> {
    const now = await this.show(actions, ref);
    return now?.card.digest === digest ? now : undefined;
  }

  /** Forgets the calls that are no longer pending. */
  prune(): void {
    for (const [key, { call }] of this.#shown) {
      if (!call.actions.isPending(call.teamId, call.card.ref)) this.#remove(key);
    }
  }

  dispose(): void {
    for (const { watch } of this.#shown.values()) watch.dispose();
    this.#own.dispose();
  }

  #watch({ actions, card: { ref }, change }: ShownCall): Disposable {
    const files = change?.files.flatMap(({ file = [] }) => file) ?? [];
    if (files.length === 0) return { dispose: () => {} };
    const own = new Disposables();
    // A decision asks again anyway (`confirmed`): what is shown need not follow every key.
    const again = own.add(new QuietCall(() => this.show(actions, ref).then(noop, () => this.prune()), QUIET_MS));
    for (const file of files) own.add(watchFile(Uri.file(file), () => again.request()));
    return own;
  }

  #remove(key: string): void {
    const found = this.#shown.get(key);
    if (found === undefined) return;
    this.#shown.delete(key);
    found.watch.dispose();
    this.#removed.fire(found.call);
  }
}
