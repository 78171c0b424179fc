import type { Position, Range, Uri } from "vscode";
import { EDITOR_LIMITS, type EditorPlace, type EditorRange } from "../../shared/contract/editor-requests.ts";

const place = ({ line, character }: Position): EditorRange["start"] => ({ line, character });

export const rangeOf = ({ start, end }: Range): EditorRange => ({ start: place(start), end: place(end) });

export const placeOf = (uri: Uri, range: Range): EditorPlace => ({ uri: uri.toString(), range: rangeOf(range) });

/** A text within the protocol's limit. */
export const shortText = (text: string): string => text.slice(0, EDITOR_LIMITS.text);

/** The first of a list, and how many more there are. */
export function firstOf<T>(list: readonly T[], limit: number): { readonly first: T[]; readonly more?: number } {
  const more = list.length - limit;
  return more > 0 ? { first: list.slice(0, limit), more } : { first: [...list] };
}
