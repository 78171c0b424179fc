import { randomInt } from "node:crypto";
import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import { firstLine, textOf } from "../../../../shared/contract/message-text.ts";
import type { TeamSummary } from "../../../../shared/contract/team.ts";
import type { TeamState } from "../../../../shared/state/team-state.ts";
import { setSum } from "../row-sums.ts";
import type { Statement } from "../write.ts";

/** A team that is not in the store yet. Without a `key` the store gives it a number. */
export interface NewTeam {
  readonly key?: number;
  readonly teamId: string;
  readonly definition: TeamDefinition;
  readonly uri: string | undefined;
  readonly createdAt: string;
}

/** A new team that is stored with its first events, as the store cannot be written at present. */
export interface UnstoredTeam extends NewTeam {
  readonly key: number;
}

/** Numbers that are drawn are above those that a store gives, and so many that no two are equal. */
const LEAST_DRAWN = 2 ** 46;
const MOST_DRAWN = 2 ** 47;

export const unstoredTeam = (team: Omit<UnstoredTeam, "key">): UnstoredTeam => ({
  ...team,
  key: randomInt(LEAST_DRAWN, MOST_DRAWN),
});

/** What stores a new team. */
export function creationOf({ key, teamId, definition, uri, createdAt }: NewTeam): readonly Statement[] {
  const columns = "teamId, definition, uri, createdAt";
  const values = [teamId, JSON.stringify(definition), uri ?? null, createdAt];
  const ofTeam = "FROM teams WHERE teamId = ?";
  return [
    key === undefined
      ? [`INSERT INTO teams (${columns}) VALUES (?, ?, ?, ?)`, ...values]
      : [`INSERT INTO teams (id, ${columns}) VALUES (?, ?, ?, ?, ?)`, key, ...values],
    [`INSERT INTO summaries (team, status, threadLength, updatedAt) SELECT id, 'idle', 0, createdAt ${ofTeam}`, teamId],
    [`INSERT INTO uses (team) SELECT id ${ofTeam}`, teamId],
    [setSum("teams", "teamId = ?"), teamId],
    [setSum("summaries", `team = (SELECT id ${ofTeam})`), teamId],
  ];
}

/** What a list of teams shows of it until then. */
export function summaryOf({ teamId, uri, createdAt }: UnstoredTeam, state: TeamState, updatedAt: string): TeamSummary {
  const { name, kind, status, threadLength, title, usage } = state;
  const last = state.thread.at(-1);
  return {
    teamId,
    name,
    kind,
    status,
    threadLength,
    createdAt,
    updatedAt,
    usage,
    ...(uri === undefined ? {} : { uri }),
    ...(last === undefined ? {} : { lastLine: firstLine(textOf(last)) }),
    ...(title === undefined ? {} : { title }),
  };
}
