import type { ToolPreview } from "../../shared/contract/inspection.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { sandboxText } from "../text/sandbox-text.ts";
import type { ToolCallText } from "../text/tool-call-text.ts";
import type { FilePreview } from "./call-question.ts";

/** What a dialog asks the user, with the file that the call would change, if there is one. */
export type Question = ToolCallText & { readonly file?: FilePreview };

/** The text about a call with what running it would do now. */
export function withPreview(text: ToolCallText, preview: ToolPreview): Question {
  if (preview === null) return text;
  if ("problem" in preview) {
    const problem = `The call would fail now: ${visibleText(preview.problem).text}`;
    return { ...text, detail: `${text.detail}\n\n${problem}` };
  }
  if ("after" in preview) return { ...text, file: preview };
  return { ...text, detail: `${text.detail}\n\n${sandboxText(preview)}` };
}
