import { TeamList } from "../../shared/contract/requests.ts";
import type { TeamSummary } from "../../shared/contract/team.ts";
import { countText } from "../../shared/text/count-text.ts";
import { threadName } from "../../shared/text/thread-name.ts";
import { timeAgo } from "../../shared/text/time-ago.ts";
import { usageText } from "../../shared/text/usage-text.ts";
import type { CommonOptions } from "../arguments/parse.ts";
import { shownJson, shownLine } from "../text/shown-text.ts";
import { type Style, styleFor } from "../text/style.ts";
import { columnsOf, cut } from "../text/wrap.ts";
import { withHost } from "./with-host.ts";

/** `gavel list`: the threads of a folder, with how far each is and what it has cost. */
export async function listThreads(options: CommonOptions & { readonly json: boolean }): Promise<number> {
  const { teams } = await withHost(options, (host) => host.request(TeamList, {}));
  if (options.json) {
    process.stdout.write(`${shownJson(teams)}\n`);
    return 0;
  }
  if (teams.length === 0) {
    process.stderr.write('There are no threads in this folder yet. Start one with: gavel run FILE "task"\n');
    return 0;
  }
  const style = styleFor(process.stdout, { noColor: options.noColor, variables: process.env });
  const columns = process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
  process.stdout.write(`${teams.flatMap((team) => threadLines(team, columns, style)).join("\n")}\n`);
  return 0;
}

/** The id whole, as it is what other commands take; below it who and what, as far as it fits. */
function threadLines(team: TeamSummary, columns: number, style: Style): readonly string[] {
  const { teamId, status, threadLength, updatedAt, usage, lastLine } = team;
  const fit = (text: string, room: number): string => (Number.isFinite(columns) ? cut(text, room) : text);
  const name = fit(shownLine(threadName(team)), columns - columnsOf(teamId) - 3);
  const facts = [
    STATES[status],
    countText(threadLength, "message"),
    ...(usage === undefined || usage.total === 0 ? [] : [usageText(usage)]),
    timeAgo(updatedAt),
  ].join(" · ");
  const last =
    lastLine === undefined || lastLine === "" ? [] : [style.dim(`  ${fit(shownLine(lastLine), columns - 3)}`)];
  return [`${style.bold(teamId)}  ${name}`, `  ${fit(facts, columns - 3)}`, ...last];
}

const STATES = {
  idle: "idle",
  running: "running",
  interrupting: "stopping",
  paused: "paused",
  awaitingTools: "waits for you",
} as const satisfies Readonly<Record<TeamSummary["status"], string>>;
