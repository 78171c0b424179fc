import type { Resource } from "../../shared/contract/message.ts";

/** Something that the user attached to a draft. Its content is read when the message is sent. */
export interface Attachment {
  /** Two attachments of one key are the same. */
  readonly key: string;
  readonly kind: Resource["kind"] | "image";
  /** A file's path in the workspace, or a title. */
  readonly name: string;
  /** The file; for terminal output, the execution's number. */
  readonly uri?: string;
  readonly lines?: { readonly start: number; readonly end: number };
  /** Estimated when it was attached. */
  readonly tokens: number;
}

/** What the composer holds: for each team its own, kept until it is sent. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** The longest text that is sent, in characters; a longer one is sent as a file. */
export const MAX_TEXT = 1_000_000;

/** How much can be attached to one message. */
export const MAX_ATTACHMENTS = 200;

export const EMPTY_DRAFT: Draft = { text: "", attachments: [] };

export const isEmptyDraft = ({ text, attachments }: Draft): boolean => text === "" && attachments.length === 0;

/** Attachments without duplicates: a later one of the same key takes the place of the earlier. */
export function mergeAttachments(present: readonly Attachment[], added: readonly Attachment[]): readonly Attachment[] {
  const keys = new Set(added.map(({ key }) => key));
  return [...present.filter(({ key }) => !keys.has(key)), ...added];
}

/**
 * The draft with one that could not be sent put back: it comes first, as it was written before what is there now. The same
 * text is not put back twice.
 */
export function restoredDraft(present: Draft, unsent: Draft): Draft {
  const text = [unsent.text, ...(present.text === unsent.text ? [] : [present.text])].filter((part) => part !== "");
  return { text: text.join("\n"), attachments: mergeAttachments(unsent.attachments, present.attachments) };
}
