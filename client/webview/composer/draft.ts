import { batch, effect, signal } from "@preact/signals";
import {
  type Attachment,
  type Draft,
  MAX_ATTACHMENTS,
  MAX_TEXT,
  mergeAttachments,
  restoredDraft,
} from "../../common/attachments.ts";
import type { Delivery } from "../../common/page-messages.ts";
import { post } from "../state/editor-bridge.ts";
import { changedDraft, openedDraft, unsentDraft } from "../state/page-state.ts";

/** The text in the composer. It belongs to the team that is shown; the extension keeps it, so it outlives the page. */
export const draft = signal("");
/** What is attached to it. */
export const attachments = signal<readonly Attachment[]>([]);
/** Why the draft cannot be sent, and what was not attached: a sentence each. They are there until the user goes on. */
export const problems = signal<readonly string[]>([]);
/** Counts the requests to focus the text box. */
export const focusRequests = signal(0);

/** The delivery of a draft that is sent once all is attached to it; null for one that the user has not sent. */
export const held = signal<Delivery | null>(null);

/** Where each attachment belongs among the others, by key. */
const places = new Map<string, number>();
/** Whether the text was last changed in this page: the text box can undo that, and nothing that came from elsewhere. */
let isOwnChange = false;
/** Whether an input method composes in the text box. */
let isComposing = false;
/** The team that the draft belongs to. */
let owner: string | null = null;
let scheduled = false;

/** Has the extension keep the draft: after this turn of the event loop, so that several changes are one message. */
function changed(): void {
  if (owner === null || scheduled) return;
  const teamId = owner;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    post({ type: "draft", teamId, draft: present() });
  });
}

const present = (): Draft => ({ text: draft.peek(), attachments: attachments.peek() });

/** What is wrong with a text that is too long to be sent, or kept; undefined for any other. */
export const lengthProblem = (text: string): string | undefined =>
  text.length > MAX_TEXT
    ? `The message has more than ${MAX_TEXT.toLocaleString("en")} characters. Attach it as a file.`
    : undefined;

/** Says what is wrong, in place of what was wrong before; nothing if there is nothing. */
export function showProblem(text: string | undefined): void {
  problems.value = text === undefined ? [] : [text];
}

/** Says what was not attached as well: the files of one drop are answered one after another. */
export function addProblems(texts: readonly string[]): void {
  problems.value = [...new Set([...problems.peek(), ...texts])];
}

/** A draft that would be sent by itself is not: the user changes it, or sees a problem. */
export function releaseHeld(): void {
  held.value = null;
}

export function setDraft(text: string): void {
  releaseHeld();
  isOwnChange = text !== "";
  draft.value = text;
  showProblem(lengthProblem(text));
  changed();
}

/** Puts what was written elsewhere before the draft of its team: the extension does if the page shows another one. */
export function putBack(teamId: string, text: string): void {
  const unsent: Draft = { text, attachments: [] };
  if (teamId === owner) {
    show(restoredDraft(present(), unsent));
    changed();
  } else post({ type: "restoreDraft", teamId, draft: unsent });
}

/** Takes the draft to send it: the composer is empty then. */
export function takeDraft(): Draft {
  const taken = present();
  batch(() => {
    setDraft("");
    attachments.value = [];
  });
  return taken;
}

/** Whether the text box can undo the last change of the text. */
export const canUndo = (): boolean => isOwnChange;

/** An input method begins to compose in the text box, or has ended. */
export function setComposing(is: boolean): void {
  isComposing = is;
}

/** The team whose draft this is; null while none is shown. */
export const draftOwner = (): string | null => owner;

/** An attachment, and where it belongs among the others. */
export interface Placed {
  readonly attachment: Attachment;
  readonly place: number;
}

/**
 * Attaches something to the draft of a team, which may not be the one that is shown any more; `texts` say what was not
 * attached.
 */
export function attach(teamId: string | null, placed: readonly Placed[], texts: readonly string[] = []): void {
  const added = placed.map(({ attachment }) => attachment);
  if (teamId !== null && teamId !== owner) {
    if (added.length > 0) post({ type: "restoreDraft", teamId, draft: { text: "", attachments: added } });
    addProblems(texts);
    return;
  }
  for (const { attachment, place } of placed) places.set(attachment.key, places.get(attachment.key) ?? place);
  const placeOf = ({ key }: Attachment): number => places.get(key) ?? 0;
  const all = mergeAttachments(attachments.peek(), added).toSorted((a, b) => placeOf(a) - placeOf(b));
  const isTooMuch = all.length > MAX_ATTACHMENTS;
  batch(() => {
    attachments.value = all.slice(0, MAX_ATTACHMENTS);
    addProblems(isTooMuch ? [`A message can have at most ${MAX_ATTACHMENTS} files; the others are left out.`] : texts);
  });
  changed();
}

export function detach(key: string): void {
  attachments.value = attachments.peek().filter((attachment) => attachment.key !== key);
  places.delete(key);
  showProblem(undefined);
  changed();
}

function show({ text, attachments: attached }: Draft): void {
  releaseHeld();
  isOwnChange = false;
  places.clear();
  for (const [index, { key }] of attached.entries()) places.set(key, index);
  batch(() => {
    draft.value = text;
    attachments.value = attached;
    showProblem(undefined);
  });
}

effect(() => {
  const opened = openedDraft.value;
  if (opened === null) return;
  owner = opened.teamId;
  show(opened.draft);
});

effect(() => {
  const changedElsewhere = changedDraft.value?.draft;
  if (changedElsewhere === undefined) return;
  // What is being composed goes to the other page with its end.
  show(isComposing ? { ...changedElsewhere, text: draft.peek() } : changedElsewhere);
});

effect(() => {
  const unsent = unsentDraft.value;
  if (unsent === null || unsent.teamId !== owner) return;
  show(restoredDraft(present(), unsent.draft));
  changed();
});
