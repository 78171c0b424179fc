import type { TransientEvent } from "../contract/event.ts";
import type { TeamState } from "./team-state.ts";

/** The chunks that lead from the texts in progress that are known to those of now, in the team and in nested ones. */
export function missedTexts(
  known: TeamState | undefined,
  now: TeamState,
  path: readonly string[] = [],
): TransientEvent[] {
  const at = new Date().toISOString();
  const place = {
    at,
    ...(now.run === null ? {} : { runId: now.run.runId }),
    ...(path.length === 0 ? {} : { path: [...path] }),
  };
  const own = now.streaming.flatMap(({ messageId, source, text }): TransientEvent[] => {
    const before = known?.streaming.find((message) => message.messageId === messageId)?.text ?? "";
    // What cannot be continued is replaced by the whole message at its end.
    if (!text.startsWith(before) || text.length === before.length) return [];
    return [{ ...place, type: "message/chunk", messageId, source, delta: text.slice(before.length) }];
  });
  const inner = Object.entries(now.inner ?? {}).flatMap(([name, team]) =>
    missedTexts(known?.inner?.[name], team, [...path, name]),
  );
  return [...own, ...inner];
}
