import type { Disposable, Memento } from "vscode";
import * as z from "zod";
import { type Draft, EMPTY_DRAFT, isEmptyDraft, restoredDraft } from "../common/attachments.ts";
import { Emitter } from "../emitter.ts";
import { StoredDraft } from "./draft-schema.ts";

const KEY = "gavel.drafts";
/** The drafts of the teams in which the user wrote last are kept, so many. */
const MAX_DRAFTS = 50;

const Stored = z.record(z.string(), z.unknown());

/** A draft that cannot be read takes no other with it. Two that were put together may be longer than what is sent. */
function readable(teamId: string, value: unknown): readonly (readonly [string, Draft])[] {
  const draft = StoredDraft.safeParse(value);
  return draft.success ? [[teamId, draft.data]] : [];
}

/** A draft that is another now. */
export interface ChangedDraft {
  readonly teamId: string;
  readonly draft: Draft;
  /** The page in which the user has changed it, which shows it already; none if the extension did. */
  readonly page: unknown;
}

/**
 * What the user is writing to each team, kept over a reload of the window: one draft for each team, on whichever pages it
 * is shown.
 */
export class Drafts implements Disposable {
  readonly #memento: Memento;
  readonly #changes = new Emitter<ChangedDraft>();
  /** By team, the one that was written last at the end. */
  readonly #drafts: Map<string, Draft>;
  #writing: Promise<void> | undefined;
  #changed = false;

  readonly onChanged = this.#changes.event;

  constructor(memento: Memento) {
    this.#memento = memento;
    const stored = Stored.safeParse(memento.get<unknown>(KEY));
    this.#drafts = new Map(Object.entries(stored.data ?? {}).flatMap(([teamId, value]) => readable(teamId, value)));
  }

  of(teamId: string): Draft {
    return this.#drafts.get(teamId) ?? EMPTY_DRAFT;
  }

  /** Keeps a draft. Resolves once it is stored. @param page the page in which the user has changed it. */
  set(teamId: string, draft: Draft, page?: unknown): Promise<void> {
    this.#drafts.delete(teamId);
    if (!isEmptyDraft(draft)) this.#drafts.set(teamId, draft);
    for (const oldest of [...this.#drafts.keys()].slice(0, -MAX_DRAFTS)) this.#drafts.delete(oldest);
    this.#changed = true;
    this.#changes.fire({ teamId, draft, page });
    this.#writing ??= this.#write();
    return this.#writing;
  }

  /** Puts a draft back that could not be sent, before what was written since. Resolves once it is stored. */
  restore(teamId: string, unsent: Draft): Promise<void> {
    return this.set(teamId, restoredDraft(this.of(teamId), unsent));
  }

  dispose(): void {
    this.#changes.dispose();
  }

  /** One write at a time: what is typed meanwhile is in the next. */
  async #write(): Promise<void> {
    try {
      while (this.#changed) {
        this.#changed = false;
        await this.#memento.update(KEY, Object.fromEntries(this.#drafts));
      }
    } finally {
      this.#writing = undefined;
    }
  }
}
