import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { HistoryPage } from "../log/history.ts";
import { eventForNested } from "../log/nested-event.ts";
import { type TeamTree, teamsIn } from "../run/team-tree.ts";

/** Reads a stored history, once, for the transcripts of a team and its nested teams. */
export async function readHistory(tree: TeamTree, history: AsyncIterable<HistoryPage>): Promise<void> {
  const readers = [...teamsIn(tree)].map(({ team, path }) => ({ path, reader: team.transcript.reader() }));
  let last = 0;
  for await (const { events, lastSeq } of history) {
    for (const event of events) {
      for (const { path, reader } of readers) {
        const own = path.reduce<DurableEvent | undefined>((outer, name) => outer && eventForNested(name, outer), event);
        if (own !== undefined) reader.add(own);
      }
    }
    last = lastSeq;
  }
  for (const { reader } of readers) reader.end(last);
}
