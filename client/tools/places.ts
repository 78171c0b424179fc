import { commands, Location, Position, Range, Uri } from "vscode";
import { EDITOR_LIMITS, type EditorPlace, type EditorPlaces } from "../../shared/contract/editor-requests.ts";
import type { ParamsOf, ResultOf } from "../../shared/contract/message-type.ts";
import { isRecord } from "../../shared/json-record.ts";
import { firstOf, placeOf } from "./protocol-places.ts";
import { windowDocument } from "./window-uri.ts";

const COMMANDS = {
  references: "vscode.executeReferenceProvider",
  definition: "vscode.executeDefinitionProvider",
} as const;

/** Where a symbol is used or defined, by VS Code's language extensions. */
export async function places(params: ParamsOf<typeof EditorPlaces>): Promise<ResultOf<typeof EditorPlaces>> {
  const { uri, position, of } = params;
  const { document } = await windowDocument(uri);
  const at = new Position(position.line, position.character);
  const found = await commands.executeCommand<unknown>(COMMANDS[of], document.uri, at);
  const all = Array.isArray(found) ? found.flatMap(foundPlace) : [];
  const { first, ...rest } = firstOf(all, EDITOR_LIMITS.places);
  return { places: first, ...rest };
}

/** A location or the target of a link. */
function foundPlace(found: unknown): EditorPlace[] {
  if (found instanceof Location) return [placeOf(found.uri, found.range)];
  if (!isRecord(found)) return [];
  const { targetUri, targetRange, targetSelectionRange = targetRange } = found;
  return targetUri instanceof Uri && targetSelectionRange instanceof Range
    ? [placeOf(targetUri, targetSelectionRange)]
    : [];
}
