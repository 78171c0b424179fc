import type { ParticipantInfo } from "../../../shared/contract/team.ts";
import { findMember, type Members } from "../../common/participants/participants.ts";
import { rosterAt } from "../state/roster.ts";
import { Avatar } from "../ui/avatar.tsx";

/** The participant at an address such as `team/name`, and the team that it is in. */
export function addressee(to: string): { name: string; members: Members; info: ParticipantInfo | undefined } {
  const path = to.split("/");
  const name = path.pop() ?? "";
  const members = rosterAt(path);
  return { name, members, info: findMember(name, members) };
}

export const AddresseeAvatar = ({ to }: { readonly to: string }) => <Avatar {...addressee(to)} />;
