import { setTimeout as pause } from "node:timers/promises";
import { TeamList } from "../../../shared/contract/requests.ts";
import type { TeamSummary } from "../../../shared/contract/team.ts";
import type { Services } from "../command.ts";

/** How long the host may take to say what runs, in milliseconds: one that hangs is restarted all the same. */
const MAX_ANSWER_MS = 3_000;
/** How many names are listed. */
const MAX_NAMES = 5;

/** The teams that the host runs now, whoever started them; undefined if it does not say. */
export async function runningTeams({ host }: Services): Promise<readonly TeamSummary[] | undefined> {
  const listed = host.request(TeamList, {}).catch(() => undefined);
  const answer = await Promise.race([listed, pause(MAX_ANSWER_MS, undefined, { ref: false })]);
  return answer?.teams.filter(({ status }) => status === "running" || status === "interrupting");
}

/** What becomes of the runs when the host ends, for a question. */
export function runsText(teams: readonly TeamSummary[] | undefined): string {
  if (teams === undefined) return "What runs in it is interrupted, and everything is kept.";
  if (teams.length === 0) return "No team is running.";
  const names = teams.slice(0, MAX_NAMES).map(({ name, title }) => title ?? name);
  const more = teams.length > names.length ? ` and ${teams.length - names.length} more` : "";
  return `These teams are running, and are interrupted with everything kept: ${names.join(", ")}${more}.`;
}
