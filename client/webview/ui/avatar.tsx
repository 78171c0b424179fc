import { roster } from "../state/roster.ts";
import { accentClass, findMember, initialsOf, isOrchestrator, isUser, type Members } from "../text/participants.ts";
import { Icon } from "./icon.tsx";

interface Props {
  readonly name: string;
  /** The participants of the team it is shown in; those of the top team if left out. */
  readonly members?: Members;
}

/** A participant's initials on its accent; a team's avatar is square. It is beside the name, so screen readers skip it. */
export function Avatar({ name, members = roster.value }: Props) {
  const kind = findMember(name, members)?.kind;
  const isTeam = kind === "team" || kind === "societyOfMind";
  return (
    <span class={`avatar ${accentClass(name, members)}${isTeam ? " is-team" : ""}`} aria-hidden="true">
      {isOrchestrator(name, members) ? (
        <Icon name="checklist" />
      ) : isUser(name, members) ? (
        <Icon name="person" />
      ) : (
        initialsOf(name, members)
      )}
    </span>
  );
}
