import { type QuickPick, type QuickPickItem, QuickPickItemKind } from "vscode";
import { TeamFind } from "../../../shared/contract/requests.ts";
import type { TeamSummary } from "../../../shared/contract/team.ts";
import { threadName } from "../../../shared/text/thread-name.ts";
import { timeAgo } from "../../../shared/text/time-ago.ts";
import { plainText } from "../../common/plain-text.ts";
import { Disposables } from "../../disposables.ts";
import type { HostProcess } from "../../host/host-process.ts";

/** A message to open a thread at: the text that was looked for is highlighted in it. */
export interface FoundMessage {
  readonly messageId: string;
  readonly query: string;
}

export type ThreadItem = QuickPickItem & { readonly team?: TeamSummary; readonly found?: FoundMessage };

/** The rows of threads, which the list finds by their names itself, and the threads that may be shown. */
export interface ThreadRows {
  readonly items: readonly ThreadItem[];
  readonly stored: readonly TeamSummary[];
}

/** How long the user pauses before messages are looked through, in milliseconds. */
const PAUSE_MS = 200;

/** How many characters are looked for at least. */
const SHORTEST = 2;

const HEADING: ThreadItem = { label: "In Messages", kind: QuickPickItemKind.Separator };
const MORE: ThreadItem = { label: "$(ellipsis) Show More", alwaysShow: true };

/** Adds to a list of threads the messages in which the text of its box occurs. */
export class FoundMessages {
  readonly #own = new Disposables();
  readonly #host: HostProcess;
  readonly #picker: QuickPick<ThreadItem>;
  readonly #threads: () => ThreadRows;
  /** The rows of messages, by message and team. */
  #found = new Map<string, ThreadItem>();
  /** Where the messages that are not shown yet begin. */
  #next: string | undefined;
  #turn = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `threads` gives the other rows, which may change: see {@link update}. */
  constructor(host: HostProcess, picker: QuickPick<ThreadItem>, threads: () => ThreadRows) {
    this.#host = host;
    this.#picker = picker;
    this.#threads = threads;
    this.#own.add(picker.onDidChangeValue((value) => this.#start(value.trim())));
    this.#own.add(
      picker.onDidAccept(() => {
        if (picker.selectedItems[0] === MORE) this.#look(picker.value.trim());
      }),
    );
  }

  /** Shows the rows as they are now. */
  update(): void {
    const { items, stored } = this.#threads();
    const found = [...this.#found.values()].filter(({ team }) => stored.some((one) => one.teamId === team?.teamId));
    const [active] = this.#picker.activeItems;
    const more = this.#next === undefined ? [] : [MORE];
    this.#picker.items = found.length === 0 ? items : [...items, HEADING, ...found, ...more];
    this.#picker.activeItems = this.#picker.items.filter((item) => active !== undefined && isSame(item, active));
  }

  dispose(): void {
    this.#turn++;
    clearTimeout(this.#timer);
    this.#own.dispose();
  }

  /** Rows of another text would always be shown, so they are removed. */
  #start(query: string): void {
    this.#turn++;
    clearTimeout(this.#timer);
    this.#found = new Map();
    this.#next = undefined;
    this.update();
    this.#picker.busy = query.length >= SHORTEST;
    if (this.#picker.busy) this.#timer = setTimeout(() => this.#look(query), PAUSE_MS);
  }

  /** A failure leaves what is shown: the list still finds threads by their names. */
  #look(query: string): void {
    const turn = ++this.#turn;
    this.#picker.busy = true;
    this.#add(query, turn)
      .catch(() => undefined)
      .finally(() => {
        if (turn === this.#turn) this.#picker.busy = false;
      });
  }

  /** Adds the messages that come next, and makes the first of them active where some were shown already. */
  async #add(query: string, turn: number): Promise<void> {
    const isFirst = this.#next === undefined;
    for (let first: ThreadItem | undefined; first === undefined; ) {
      const { hits, next } = await this.#host.request(TeamFind, {
        query,
        ...(this.#next === undefined ? {} : { after: this.#next }),
      });
      if (turn !== this.#turn) return;
      const { stored } = this.#threads();
      for (const { teamId, messageId, source, at, excerpt } of hits) {
        const team = stored.find((one) => one.teamId === teamId);
        const key = JSON.stringify([teamId, messageId]);
        if (team === undefined || this.#found.has(key)) continue;
        const item: ThreadItem = {
          team,
          // Rows whose label has the text are sorted by it, and would lose their order.
          label: `$(comment) ${plainText(threadName(team))}`,
          description: plainText(`${source} · ${timeAgo(at)}`),
          detail: plainText(excerpt),
          // The list's own search may find the text elsewhere, or not at all.
          alwaysShow: true,
          found: { messageId, query },
        };
        first ??= item;
        this.#found.set(key, item);
      }
      this.#next = next;
      this.update();
      if (!isFirst && first !== undefined) this.#picker.activeItems = [first];
      if (next === undefined) return;
    }
  }
}

/** Whether two rows, one of which may be made again, are of the same thread or message. */
const isSame = (one: ThreadItem, other: ThreadItem): boolean =>
  one === other ||
  (one.team !== undefined &&
    one.team.teamId === other.team?.teamId &&
    one.found?.messageId === other.found?.messageId &&
    one.found?.query === other.found?.query);
