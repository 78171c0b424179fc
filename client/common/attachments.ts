import type { Resource } from "../../shared/contract/message.ts";

/** Something that the user attached to a draft. Its content is read when the message is sent. */
export interface Attachment {
  /** Two attachments of one key are the same. */
  readonly key: string;
  readonly kind: Resource["kind"] | "image";
  /** A file's path in the workspace, or a title. */
  readonly name: string;
  /** The file; for terminal output, the execution's number; for a resource of an MCP server, its URI there. */
  readonly uri?: string;
  /** Of a resource: the id of its MCP server. */
  readonly server?: string;
  readonly lines?: { readonly start: number; readonly end: number };
  /** Of an image: in pixels, as it is sent. */
  readonly size?: ImageSize;
  /** Estimated when it was attached. */
  readonly tokens: number;
}

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** What is attached to a draft, and what was not. */
export interface Attached {
  /** In the order in which they were chosen. The page measures an image without a size, and makes a large one smaller. */
  readonly attachments: readonly Attachment[];
  /** What was not attached and why, a sentence each. */
  readonly problems?: readonly string[];
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

/** The longest edge of an image that is sent, in pixels. Models scale larger ones down themselves. */
export const MAX_IMAGE_EDGE = 2048;

/** The largest image that is sent, in bytes: in base64 it has 5 MB, which every provider takes. */
export const MAX_SENT_IMAGE = 3_750_000;

/** What the images of one message may have together, in bytes: every provider takes a request of this size. */
export const MAX_SENT_IMAGES = 20_000_000;

/** The most tokens of an image: a model scales it down to that. */
const MAX_IMAGE_TOKENS = 1600;

/**
 * The estimated tokens of an image: Anthropic documents a token for each 750 pixels, and at most about 1600. OpenAI's models
 * count from 85 to about 1500.
 */
export const imageTokens = ({ width, height }: ImageSize): number =>
  Math.min(MAX_IMAGE_TOKENS, Math.ceil((width * height) / 750));

/** The size to which an image is scaled down, with its proportions; its own if it is small enough. */
export function sentImageSize({ width, height }: ImageSize): ImageSize {
  const scale = Math.min(1, MAX_IMAGE_EDGE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

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
