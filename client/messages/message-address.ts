import { resultText, waitingResultOf } from "../../shared/reviewed-result.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { partialsOf } from "../common/partial-messages.ts";

/** A text of an open team that the user may edit: a partial message, a waiting one, or a result that waits for review. */
export type MessageAddress =
  | { readonly kind: "result"; readonly teamId: string; readonly id: string }
  | { readonly kind: "partial"; readonly teamId: string; readonly id: string }
  | { readonly kind: "waiting"; readonly teamId: string; readonly id: string; readonly index: number };

/** A path for the text; its last part is only the title of its editor tab. */
export function addressPath(address: MessageAddress, name: string): string {
  const { kind, teamId, id } = address;
  const index = address.kind === "waiting" ? [String(address.index)] : [];
  return `/${[...[kind, teamId, id, ...index].map(encodeURIComponent), name.replaceAll("/", "∕")].join("/")}`;
}

/** The address in a path; undefined for a path that {@link addressPath} did not make. */
export function addressIn(path: string): MessageAddress | undefined {
  const [, kind, ...parts] = path.split("/");
  const [teamId, id, index, name] = parts.map(decoded);
  if (teamId === undefined || id === undefined || index === undefined || parts.length > 4) return undefined;
  if ((kind === "partial" || kind === "result") && name === undefined) return { kind, teamId, id };
  if (kind === "waiting" && name !== undefined && /^\d+$/.test(index)) {
    return { kind, teamId, id, index: Number(index) };
  }
  return undefined;
}

/** The text in the team's state; undefined if it no longer exists, or belongs to another team. */
export function textAt(address: MessageAddress, state: TeamState | undefined): string | undefined {
  if (state?.teamId !== address.teamId) return undefined;
  if (address.kind === "waiting") return state.queued.find(({ id }) => id === address.id)?.messages[address.index];
  if (address.kind === "result") {
    const call = state.pendingTools.find(({ ref }) => ref === address.id);
    const result = call === undefined ? undefined : waitingResultOf(call);
    return result && resultText(result.output);
  }
  return partialsOf(state).find(({ id }) => id === address.id)?.text;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
