import type { ToolPreview } from "../../shared/contract/inspection.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { sandboxText } from "../text/sandbox-text.ts";
import type { ToolCallText } from "../text/tool-call-text.ts";
import { type CallChange, changeIn } from "./call-question.ts";

/** What a dialog asks the user, with the files that the call would change, if there are any. */
export type Question = ToolCallText & { readonly change?: CallChange };

/** The text about a call with what running it would do now. */
export function withPreview(text: ToolCallText, preview: ToolPreview): Question {
  if (preview === null) return text;
  if ("problem" in preview) {
    const problem = `The call would fail now: ${visibleText(preview.problem).text}`;
    return { ...text, detail: `${text.detail}\n\n${problem}` };
  }
  const change = changeIn(preview);
  if (change !== undefined) return { ...text, detail: `${text.detail}${fileList(change)}`, change };
  if (!("sandbox" in preview)) return text;
  return { ...text, detail: `${text.detail}\n\n${sandboxText(preview)}` };
}

/** The text with how far the approvals of several users are. */
export const withApprovals = (text: Question, approvals: string | undefined): Question =>
  approvals === undefined ? text : { ...text, detail: `${text.detail}\n\n${approvals}` };

const MAX_LISTED = 10;

/** The files of a change of several, whose names the input does not have. */
function fileList({ files }: CallChange): string {
  if (files.length < 2) return "";
  const shown = files.slice(0, MAX_LISTED).map(({ path }) => visibleText(path).text);
  const more = files.length - shown.length;
  return `\n\nIt changes ${files.length} files:\n${[...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n")}`;
}
