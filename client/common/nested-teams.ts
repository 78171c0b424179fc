import type { ParticipantActivity, TeamSnapshot } from "../../shared/contract/team.ts";

/** `research › alice`: the way to somebody in a nested team. */
export function wayTo(path: readonly string[] | undefined, name: string): string {
  return [...(path ?? []), name].join(" › ");
}

/** Somebody who is doing something. */
export interface Busy {
  readonly name: string;
  readonly path: readonly string[];
  readonly activity: Exclude<ParticipantActivity, "idle">;
}

/** Who is doing something now: of a participant that is a team at work, those within it. */
export function busyOf(
  team: Pick<TeamSnapshot, "participants"> & { readonly inner?: Readonly<Record<string, TeamSnapshot>> | undefined },
  path: readonly string[] = [],
): readonly Busy[] {
  return team.participants.flatMap(({ name, activity }) => {
    if (activity === "idle") return [];
    const inner = team.inner?.[name];
    const within = inner === undefined ? [] : busyOf(inner, [...path, name]);
    return within.length > 0 ? within : [{ name, path, activity }];
  });
}
