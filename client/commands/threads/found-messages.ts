import { type QuickPick, type QuickPickItem, QuickPickItemKind } from "vscode";
import { TeamFind } from "../../../shared/contract/requests.ts";
import type { TeamSummary } from "../../../shared/contract/team.ts";
import { plainText } from "../../common/plain-text.ts";
import { threadName } from "../../common/thread-name.ts";
import { timeAgo } from "../../common/time-ago.ts";
import type { HostProcess } from "../../host/host-process.ts";

/** A message to open a thread at: the text that was looked for is highlighted in it. */
export interface FoundMessage {
  readonly messageId: string;
  readonly query: string;
}

export type ThreadItem = QuickPickItem & { readonly team?: TeamSummary; readonly found?: FoundMessage };

/** How long the user pauses before messages are looked through, in milliseconds. */
const PAUSE_MS = 200;

/** How many characters are looked for at least. */
const SHORTEST = 2;

/**
 * Adds to a list of threads the messages in which the text of its box occurs. The list itself finds threads by their names;
 * `threads` gives its rows, which may change. The returned function ends it.
 */
export function listFoundMessages(
  host: HostProcess,
  picker: QuickPick<ThreadItem>,
  threads: () => { readonly items: readonly ThreadItem[]; readonly stored: readonly TeamSummary[] },
): () => void {
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async (query: string, turn: number): Promise<void> => {
    try {
      const { hits } = await host.request(TeamFind, { query });
      if (turn !== last) return;
      const { items, stored } = threads();
      const found = hits.flatMap(({ teamId, messageId, source, at, excerpt }): ThreadItem[] => {
        const team = stored.find((one) => one.teamId === teamId);
        if (team === undefined) return [];
        const label = `$(comment) ${plainText(excerpt)}`;
        const description = plainText(`${source} · ${threadName(team)} · ${timeAgo(at)}`);
        // The list shows what its own search would leave out: the text is in the message.
        return [{ team, label, description, alwaysShow: true, found: { messageId, query } }];
      });
      const active = picker.activeItems;
      picker.items =
        found.length === 0 ? items : [...items, { label: "In Messages", kind: QuickPickItemKind.Separator }, ...found];
      picker.activeItems = active.filter((item) => picker.items.includes(item));
    } finally {
      if (turn === last) picker.busy = false;
    }
  };
  const listening = picker.onDidChangeValue((value) => {
    const turn = ++last;
    clearTimeout(timer);
    const query = value.trim();
    picker.busy = query.length >= SHORTEST;
    // Rows of another text would always be shown.
    picker.items = threads().items;
    if (picker.busy) timer = setTimeout(() => void look(query, turn).catch(() => undefined), PAUSE_MS);
  });
  return () => {
    last++;
    clearTimeout(timer);
    listening.dispose();
  };
}
