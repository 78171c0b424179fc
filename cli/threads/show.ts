import { TeamList, TeamOpen } from "../../shared/contract/requests.ts";
import { eventsAfter } from "../../shared/state/missing-events.ts";
import type { CommonOptions } from "../arguments/parse.ts";
import { storedId } from "../run/open-thread.ts";
import { styleFor } from "../text/style.ts";
import { EventLines } from "../view/event-lines.ts";
import { withHost } from "./with-host.ts";

/** The events of a thread that are shown; of a longer one, the first. */
export const MAX_EVENTS = 200_000;

/** `gavel show`: prints a thread. */
export async function showThread(options: CommonOptions & { readonly thread: string }): Promise<number> {
  const { noColor } = options;
  const style = styleFor(process.stdout, { noColor, variables: process.env });
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  return withHost(options, async (host) => {
    const { teams } = await host.request(TeamList, {});
    const {
      teamId,
      participants,
      people = [],
    } = await host.request(TeamOpen, { teamId: storedId(teams, options.thread) });
    const shown = new EventLines();
    const events = await eventsAfter(host, teamId, 0, MAX_EVENTS);
    const lines = events.flatMap((event) => shown.of(event, { style, columns, participants, people, user: host.user }));
    process.stdout.write(`${lines.slice(lines[0] === "" ? 1 : 0).join("\n")}\n`);
    return 0;
  });
}
