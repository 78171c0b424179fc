import { visibleLines } from "../../../shared/text/visible-text.ts";
import type { FileReference } from "../../common/files/file-reference.ts";
import type { FileTarget } from "../../common/page-messages.ts";

/** Where a link to a file leads: `shop/src/split.js, lines 8 to 12`. Without a target, as the message writes it. */
export function fileTargetText({ path, line, endLine }: FileReference, target: FileTarget | undefined): string {
  const name = visibleLines(target?.label ?? path);
  switch (target?.kind) {
    case "missing":
      return `${name}, not found`;
    case "folder":
      return `${name}, a folder`;
    case "outside":
      return `${name}${lineText(line, endLine)}, outside the workspace`;
    case "file":
    case undefined:
      return `${name}${lineText(line, endLine)}`;
  }
}

function lineText(line: number | undefined, endLine: number | undefined): string {
  if (line === undefined) return "";
  return endLine === undefined || endLine === line ? `, line ${line}` : `, lines ${line} to ${endLine}`;
}
