import type { ChatMessage } from "../../../shared/contract/message.ts";
import { visibleToAll } from "./user-message.ts";

/**
 * A message of an outer team as its nested team gets it: visible to all its participants, and without the usage, which was
 * counted in the outer team. A name that `isTaken` in the nested team is preceded by the name of the outer team, so that a
 * participant is never taken for another one of the same name. Names of participants have no slash.
 */
export function outerMessage(message: ChatMessage, outer: string, isTaken: (name: string) => boolean): ChatMessage {
  const { usage, ...visible } = visibleToAll(message);
  const nameOf = (name: string): string => (isTaken(name) ? `${outer}/${name}` : name);
  const to = visible.metadata?.["to"];
  return {
    ...visible,
    source: nameOf(visible.source),
    ...(typeof to === "string" ? { metadata: { ...visible.metadata, to: nameOf(to) } } : {}),
  };
}
