import { writeFile } from "node:fs/promises";
import { messageOf } from "../../shared/contract/errors.ts";
import { TeamList, TeamOpen } from "../../shared/contract/requests.ts";
import { eventsAfter } from "../../shared/state/missing-events.ts";
import { stateFromSnapshot } from "../../shared/state/team-state.ts";
import { threadMarkdown } from "../../shared/text/thread-markdown.ts";
import type { CommonOptions } from "../arguments/parse.ts";
import { UsageError } from "../arguments/usage-error.ts";
import { storedId } from "../run/open-thread.ts";
import { shownCode } from "../text/shown-text.ts";
import { MAX_EVENTS } from "./show.ts";
import { withHost } from "./with-host.ts";

/** `gavel export`: a thread as the Markdown that the editor exports, to the standard output or a new file. */
export async function exportThread(
  options: CommonOptions & { readonly thread: string; readonly output: string | undefined },
): Promise<number> {
  const markdown = await withHost(options, async (host) => {
    const { teams } = await host.request(TeamList, {});
    const snapshot = await host.request(TeamOpen, { teamId: storedId(teams, options.thread) });
    return threadMarkdown(stateFromSnapshot(snapshot), await eventsAfter(host, snapshot.teamId, 0, MAX_EVENTS));
  });
  if (options.output === undefined) {
    process.stdout.write(process.stdout.isTTY ? shownCode(markdown) : markdown);
    return 0;
  }
  try {
    await writeFile(options.output, markdown, { flag: "wx" });
  } catch (error) {
    throw new UsageError(`The thread could not be written to ${options.output}: ${messageOf(error)}.`);
  }
  return 0;
}
