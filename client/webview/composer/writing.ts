import { effect } from "@preact/signals";
import { post } from "../state/editor-bridge.ts";
import { presence } from "../state/page-state.ts";
import { draft, draftOwner } from "./draft.ts";

/** After this long without a key the draft rests: the user is not writing any more. */
const RESTS_AFTER_MS = 15_000;

/** The team that the user is writing to, as the others are told; null for none. */
let writingTo: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The user has changed the text. Where others have the team open, they are told that the user is writing. */
export function noteWriting(): void {
  const owner = draftOwner();
  if (owner === null || presence.peek().length === 0 || draft.peek().trim() === "") return;
  clearTimeout(timer);
  timer = setTimeout(endWriting, RESTS_AFTER_MS);
  if (writingTo === owner) return;
  endWriting();
  timer = setTimeout(endWriting, RESTS_AFTER_MS);
  writingTo = owner;
  post({ type: "writing", teamId: owner, isWriting: true });
}

/** The user writes no more: the draft is sent or empty, it rests, or the user does something else. */
export function endWriting(): void {
  clearTimeout(timer);
  const teamId = writingTo;
  if (teamId === null) return;
  writingTo = null;
  post({ type: "writing", teamId, isWriting: false });
}

effect(() => {
  if (draft.value.trim() === "" || (writingTo !== null && writingTo !== draftOwner())) endWriting();
});
