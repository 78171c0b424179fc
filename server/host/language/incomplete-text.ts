import { type Document, type Node, parseDocument } from "yaml";
import { collectionKey, sizeProblem } from "../definition/text-size.ts";

/** A longer text is not read again at every key. In characters. */
export const LONGEST_TEXT = 256 * 1024;

/** The limit on values that aliases repeat, as when a team is opened. */
const MAX_ALIASES = 100;

/** The text of a team file that someone is writing, read as far as it can be. */
export interface IncompleteText {
  readonly document: Document.Parsed;
  readonly root: Node | null;
  /** @throws ReferenceError when aliases repeat too many values */
  content(): unknown;
}

/**
 * Reads a text that is usually not valid yet. Undefined if it is too large to be read at every key, or has a map or a list
 * as a key.
 */
export function readIncomplete(text: string): IncompleteText | undefined {
  if (text.length > LONGEST_TEXT || sizeProblem(text) !== undefined) return undefined;
  try {
    // Where errors are is not wanted, and finding it takes as long as the text for each of them.
    const document = parseDocument(text, {
      prettyErrors: false,
      strict: false,
      uniqueKeys: false,
      logLevel: "silent",
    });
    if (collectionKey(document) !== undefined) return undefined;
    return {
      document,
      root: document.contents,
      content: () => document.toJS({ maxAliasCount: MAX_ALIASES }),
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
