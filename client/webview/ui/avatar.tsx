import {
  accentClass,
  findMember,
  initialsOf,
  isOrchestrator,
  isUser,
  type Members,
} from "../../common/participants/participants.ts";
import { roster } from "../state/roster.ts";
import { Icon } from "./icon.tsx";

interface Props {
  readonly name: string;
  /** The participants of the team it is shown in; those of the top team if left out. */
  readonly members?: Members;
}

/** A participant's initials on its accent, drawn and not text: they are beside the name. A team's avatar is square. */
export function Avatar({ name, members = roster.value }: Props) {
  const kind = findMember(name, members)?.kind;
  const isTeam = kind === "team" || kind === "societyOfMind";
  const icon = isOrchestrator(name, members) ? "checklist" : isUser(name, members) ? "person" : undefined;
  return (
    <span
      class={`avatar ${accentClass(name, members)}${isTeam ? " is-team" : ""}`}
      data-initials={icon === undefined ? initialsOf(name, members) : undefined}
      aria-hidden="true"
    >
      {icon !== undefined && <Icon name={icon} />}
    </span>
  );
}
