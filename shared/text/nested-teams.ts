import type { ParticipantActivity, ParticipantInfo, TeamSnapshot } from "../contract/team.ts";
import { ownValue } from "../json-record.ts";

/** A participant with the path to its nested team: `research › alice`. */
export function participantPath(path: readonly string[] | undefined, name: string): string {
  return [...(path ?? []), name].join(" › ");
}

/** A participant that is doing something. */
export interface BusyParticipant {
  readonly name: string;
  readonly path: readonly string[];
  readonly activity: Exclude<ParticipantActivity, "idle">;
  /** What its model's request waits for. */
  readonly waitsFor?: ParticipantInfo["waitsFor"];
  /** Its model writes a summary of its context. */
  readonly summarizing?: true;
}

/** The participants that are doing something now; in place of a nested team that is running, those within it. */
export function busyParticipants(
  team: Pick<TeamSnapshot, "participants"> & { readonly inner?: Readonly<Record<string, TeamSnapshot>> | undefined },
  path: readonly string[] = [],
): readonly BusyParticipant[] {
  return team.participants.flatMap(({ name, activity, waitsFor, summarizing }) => {
    if (activity === "idle") return [];
    const inner = ownValue(team.inner, name);
    const within = inner === undefined ? [] : busyParticipants(inner, [...path, name]);
    if (within.length > 0) return within;
    const busy: BusyParticipant = { name, path, activity };
    return [
      {
        ...busy,
        ...(waitsFor === undefined ? {} : { waitsFor }),
        ...(summarizing === undefined ? {} : { summarizing }),
      },
    ];
  });
}
