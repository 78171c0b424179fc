import { commands, DocumentSymbol, SymbolInformation, SymbolKind, type Uri } from "vscode";
import { EDITOR_LIMITS, type EditorSymbol, type EditorSymbols } from "../../shared/contract/editor-requests.ts";
import type { ParamsOf, ResultOf } from "../../shared/contract/message-type.ts";
import { firstOf, rangeOf, shortText } from "./protocol-places.ts";
import { windowDocument } from "./window-uri.ts";

/** The symbols of a file, or those of all files that fit a name, by VS Code's language extensions. */
export async function symbols({
  uri,
  name = "",
}: ParamsOf<typeof EditorSymbols>): Promise<ResultOf<typeof EditorSymbols>> {
  const found = uri === undefined ? await named(name) : await ofFile(uri);
  const { first, ...rest } = firstOf(found, EDITOR_LIMITS.symbols);
  return { symbols: first, ...rest };
}

async function ofFile(uri: string): Promise<EditorSymbol[]> {
  const { document } = await windowDocument(uri);
  const found = await commands.executeCommand<unknown>("vscode.executeDocumentSymbolProvider", document.uri);
  return Array.isArray(found) ? found.flatMap((symbol: unknown) => symbolsOf(symbol, document.uri, 0)) : [];
}

async function named(name: string): Promise<EditorSymbol[]> {
  const found = await commands.executeCommand<unknown>("vscode.executeWorkspaceSymbolProvider", name);
  return Array.isArray(found) ? found.flatMap((symbol: unknown) => symbolsOf(symbol, undefined, 0)) : [];
}

/** A symbol and what is within it, in the order of the file. VS Code gives either form. */
function symbolsOf(symbol: unknown, uri: Uri | undefined, depth: number): EditorSymbol[] {
  // VS Code's own objects have the properties of both.
  if (uri !== undefined && isTree(symbol)) {
    const { name, kind, range, children } = symbol;
    const own = { name: shortText(name), kind: kindOf(kind), uri: uri.toString(), range: rangeOf(range), depth };
    return [own, ...children.flatMap((child) => symbolsOf(child, uri, depth + 1))];
  }
  if (!(symbol instanceof SymbolInformation)) return [];
  const { name, kind, location, containerName } = symbol;
  return [
    {
      name: shortText(name),
      kind: kindOf(kind),
      uri: location.uri.toString(),
      range: rangeOf(location.range),
      ...(containerName === "" ? {} : { container: shortText(containerName) }),
      ...(uri === undefined ? {} : { depth }),
    },
  ];
}

const isTree = (symbol: unknown): symbol is DocumentSymbol =>
  symbol instanceof DocumentSymbol || (symbol instanceof SymbolInformation && "children" in symbol);

/** Such as `type parameter`. */
const kindOf = (kind: SymbolKind): string =>
  (SymbolKind[kind] ?? "symbol").replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
