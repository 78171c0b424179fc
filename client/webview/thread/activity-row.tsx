import { computed } from "@preact/signals";
import { busyParticipants } from "../../../shared/text/nested-teams.ts";
import { SUMMARIZING_TEXTS, waitTexts } from "../../common/participants/participant-activity.ts";
import { accentClass } from "../../common/participants/participants.ts";
import type { TimelineItem } from "../../common/timeline/items.ts";
import { LaneLine, type Wait } from "../rows/lane-line.tsx";
import { team, timeline } from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { type ManagerWork, managerWork } from "../text/manager-text.ts";
import { isParallel } from "../timeline/lanes.ts";
import { Avatar } from "../ui/avatar.tsx";
import { InterruptReasoning } from "../ui/interrupt-reasoning.tsx";

interface Thinker {
  /** The path with the name. */
  readonly path: readonly string[];
  /** What its model's request waits for, or is for where it is not for an answer. */
  readonly wait?: Wait;
}

/** The participants that are thinking, as JSON: those that show nothing else yet. */
const thinking = computed(() => {
  const now = team.value;
  if (now === null || now.status !== "running") return "[]";
  const shown = thoughtsIn(timeline.value.items);
  const names = busyParticipants(now).filter(({ activity }) => activity === "thinking");
  const thinkers = names.map(({ path, name, waitsFor, summarizing }): Thinker => {
    const wait = waitsFor === undefined ? summarizing && SUMMARIZING_TEXTS : waitTexts(waitsFor);
    return { path: [...path, name], ...(wait === undefined ? {} : { wait }) };
  });
  return JSON.stringify(thinkers.filter(({ path, wait }) => wait !== undefined || !shown.has(path.join("/"))));
});

/** How many items at the end of a timeline can be in progress. */
const NEAR_END = 100;

/** The path with the name of each participant whose thought is shown as it comes. */
function thoughtsIn(items: readonly TimelineItem[], path: readonly string[] = []): ReadonlySet<string> {
  const found = items.slice(-NEAR_END).flatMap((item): readonly string[] => {
    if (item.kind === "team") return [...thoughtsIn(item.items, [...path, item.source])];
    return item.kind === "thought" && item.live === "streaming" ? [[...path, item.source].join("/")] : [];
  });
  return new Set(found);
}

const manager = computed(() => {
  const now = team.value;
  return now === null ? "null" : JSON.stringify(managerWork(now, timeline.value.events));
});

/**
 * Below the last message: dots while participants are thinking, where their reasoning can be interrupted, or what the
 * manager of the team does.
 */
export function ActivityRow() {
  const work = JSON.parse(manager.value) as ManagerWork | null;
  const thinkers = JSON.parse(thinking.value) as readonly Thinker[];
  if (work !== null) return <ManagerRow {...work} />;
  const [thinker] = thinkers;
  if (thinker === undefined) return null;
  const { path: first, wait } = thinker;
  if (thinkers.length > 1 || isParallel(first.slice(0, -1))) {
    return (
      <div class="activity-lanes">
        {thinkers.map(({ path, ...rest }) => (
          <ThinkingLane key={path.join("/")} name={path.at(-1) ?? ""} path={path.slice(0, -1)} {...rest} />
        ))}
      </div>
    );
  }
  return (
    <div class="activity">
      <Avatar name={first.at(-1) ?? ""} members={rosterAt(first.slice(0, -1))} />
      {wait === undefined ? (
        <>
          <span class="dots" aria-hidden="true" />
          <InterruptReasoning participant={first.at(-1) ?? ""} path={first.slice(0, -1)} />
        </>
      ) : (
        <span>{wait.full}</span>
      )}
    </div>
  );
}

/** A participant that thinks while others are active too, and shows nothing else yet. */
function ThinkingLane({ name, path, wait }: Thinker & { readonly name: string }) {
  return (
    <div class={`activity-lane is-lane ${accentClass(name, rosterAt(path))}`}>
      <div class="speaker-row">
        <div class="gutter">
          <Avatar name={name} members={rosterAt(path)} />
        </div>
        <div class="content">
          <LaneLine source={name} path={path} doing="thinking" {...(wait === undefined ? {} : { wait })} />
        </div>
      </div>
    </div>
  );
}

function ManagerRow({ name, doing }: ManagerWork) {
  return (
    <div class="activity">
      {name !== undefined && (
        <>
          <Avatar name={name} />
          <strong>{name}</strong>
        </>
      )}
      <span>{doing}</span>
      <span class="dots" aria-hidden="true" />
    </div>
  );
}
