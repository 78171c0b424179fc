import type { TeamEvent } from "../../../shared/contract/event.ts";
import { countWords, textOf } from "../../../shared/contract/message-text.ts";
import { participantPath } from "../../../shared/text/nested-teams.ts";
import type { InterruptedTool, InterruptItem } from "./items.ts";
import type { TimelineDraft } from "./timeline-draft.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;

/** Adds a requested interrupt. A second request with the same id makes it stricter. */
export function startInterrupt(draft: TimelineDraft, event: EventOf<"interrupt/requested">): void {
  const { interruptId, by, rule, reason, severity, grace, message, scope, at } = event;
  if (draft.items.some((item) => item.kind === "interrupt" && item.key === interruptId)) {
    draft.change("interrupt", interruptId, (item) => ({ ...item, severity, grace }));
    return;
  }
  const scoped = scope !== undefined && "participant" in scope ? [scope.participant] : undefined;
  const streaming = [...new Set(draft.messages.values())];
  draft.push({
    kind: "interrupt",
    key: interruptId,
    at,
    by,
    ...(rule === undefined ? {} : { rule }),
    ...(reason === undefined ? {} : { reason }),
    severity,
    grace,
    ...(scope === undefined ? {} : { scope }),
    state: "requested",
    speakers: scoped ?? (streaming.length > 0 ? streaming : draft.speakers),
    ...(message === undefined ? {} : { message }),
    partials: [],
    tools: [],
    cancelled: [],
  });
}

/** Adds the receipt to its interrupt. */
export function completeInterrupt(draft: TimelineDraft, event: EventOf<"interrupt/completed">): void {
  const { interruptId, wasRunning, severity, partials, stopped, kept, grace, cancelledTools = [] } = event;
  draft.change("interrupt", interruptId, (item): InterruptItem | null => {
    // An interrupt of a team at rest stopped nothing: there is nothing to show, unless it cancelled calls.
    if (!wasRunning && cancelledTools.length === 0) return null;
    const cut = stopped?.participants.map(({ path, participant }) => participantPath(path, participant)) ?? [];
    const said = [...new Set(partials.map(({ source }) => source))];
    return {
      ...item,
      state: "completed",
      severity,
      ...(grace === undefined ? {} : { grace }),
      speakers: cut.length > 0 ? cut : said.length > 0 ? said : item.speakers,
      partials: partials.map((partial) => ({ source: partial.source, words: countWords(textOf(partial)) })),
      tools: toolsOf(event),
      cancelled: cancelledTools.map(({ name, participant, path }) => ({
        name,
        participant: participantPath(path, participant),
      })),
      ...(kept === undefined ? {} : { kept }),
      took: tookOf(event),
    };
  });
}

/** A tool that did not stop in time is also listed as stopped, because its turn continued without it: it is shown once. */
function toolsOf({ stopped, abandonedTools }: EventOf<"interrupt/completed">): readonly InterruptedTool[] {
  const abandoned = new Set(abandonedTools.map(({ ref }) => ref));
  const cut = (stopped?.tools ?? []).filter(({ ref }) => !abandoned.has(ref));
  return [
    ...cut.map(({ name, participant, path, mayHaveHadEffects }) => ({
      name,
      participant: participantPath(path, participant),
      outcome: mayHaveHadEffects ? ("effects" as const) : ("stopped" as const),
    })),
    ...abandonedTools.map(({ name, participant, path }) => ({
      name,
      participant: participantPath(path, participant),
      outcome: "abandoned" as const,
    })),
  ];
}

function tookOf({ requestedAt, acknowledgedAt, quiescedAt }: EventOf<"interrupt/completed">) {
  const from = Date.parse(requestedAt);
  return { acknowledged: Date.parse(acknowledgedAt) - from, quiesced: Date.parse(quiescedAt) - from };
}
