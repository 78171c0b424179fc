import type { ParticipantChange } from "../contract/participant-change.ts";
import { listText } from "./list-text.ts";

/** Who was changed, such as "You added ann and replaced bob with carl in the team of research". */
export function participantsText(
  {
    changes,
    within = [],
  }: { readonly changes: readonly ParticipantChange[]; readonly within?: readonly string[] | undefined },
  by: string,
): string {
  const named = (kind: "added" | "removed"): string[] =>
    changes.flatMap((change) => (change.kind === kind ? change.name : []));
  const what = [
    ...groupText("added", named("added")),
    ...groupText("removed", named("removed")),
    ...changes.flatMap((change) => {
      if (change.kind !== "replaced") return [];
      return change.by === change.name ? `replaced ${change.name}` : `replaced ${change.name} with ${change.by}`;
    }),
  ];
  const where = within.length === 0 ? "" : ` in the team of ${within.join("/")}`;
  return `${by === "" ? "" : `${by} `}${listText(what)}${where}`;
}

const groupText = (verb: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${verb} ${listText(names)}`];
