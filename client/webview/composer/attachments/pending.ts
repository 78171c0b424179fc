import { computed, signal } from "@preact/signals";
import { announce } from "../../state/announcements.ts";
import { openedDraft } from "../../state/page-state.ts";
import { attachments, draftOwner, releaseHeld } from "../draft.ts";

/** Something that is not attached yet: it is being read, or measured. */
interface Pending {
  /** Its place among the attachments, and the number of the request that it waits for. */
  readonly place: number;
  /** The team whose draft it is attached to; null for the one that is shown. */
  readonly teamId: string | null;
  readonly name: string;
  /** How many files it is. */
  readonly count: number;
}

const pending = signal<readonly Pending[]>([]);

/** More than a message has attachments: those of one request lie between its place and the next. */
const STEP = 1000;
let last = 0;

/** A place after all others. */
export function nextPlace(): number {
  last += STEP;
  return last;
}

/** What is not attached yet to the draft that is shown: of several files the number, of one the name. */
export const waiting = computed(() => {
  const teamId = openedDraft.value?.teamId;
  const here = pending.value.filter((one) => one.teamId === teamId);
  return { count: here.reduce((sum, { count }) => sum + count, 0), name: here[0]?.name ?? "" };
});

export function startPending(one: Pending): void {
  pending.value = [...pending.peek(), one];
}

/** Whether something is still wanted: the user may have cancelled it. */
export const isPending = (place: number): boolean => pending.peek().some((one) => one.place === place);

/** Something is attached, or is not going to be: `next` is what it became that is still to be measured. */
export function endPending(place: number, next: readonly Pending[] = []): void {
  if (!isPending(place)) return;
  pending.value = [...pending.peek().filter((one) => one.place !== place), ...next];
  if (waiting.peek().count === 0) announce(`${attachments.peek().length} attached`);
}

/** Nothing more is attached to the draft that is shown, which is not sent by itself either. */
export function cancelPending(): void {
  const teamId = draftOwner();
  releaseHeld();
  pending.value = pending.peek().filter((one) => one.teamId !== teamId);
}
