import type { ToolPreview } from "../../shared/contract/inspection.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import { isRecord } from "../../shared/json-record.ts";

/** What a call would do to a file. */
export interface Change {
  readonly path: string;
  /** The file, absolute. */
  readonly file?: string | undefined;
  /** Null for a new file. */
  readonly before: string | null;
  /** Null for a file that is deleted. */
  readonly after: string | null;
  /** The path that the file is moved from; `before` is its content. */
  readonly movedFrom?: { readonly path: string } | undefined;
}

/** The changes of files that a call would make. */
export function changesOf(preview: ToolPreview): readonly Change[] {
  if (preview === null) return [];
  if ("files" in preview)
    return preview.files.map(({ deleted, after, ...file }) => ({ ...file, after: deleted ? null : after }));
  return "before" in preview ? [preview] : [];
}

/** The digest of what was shown: an answer with it makes exactly this, or nothing. */
export const digestOf = (preview: ToolPreview): string | undefined =>
  preview !== null && "digest" in preview ? preview.digest : undefined;

/** The question whether a command that failed in the sandbox may run outside of it, which is one for approval. */
const isOutsideQuestion = ({ name, interrupt }: PendingTool): boolean =>
  name === "runCommand" && isRecord(interrupt) && interrupt["kind"] === "runOutsideSandbox";

/** The call makes exactly the change that was shown; for a command that failed in the sandbox, it runs outside. */
export function approvalOf(preview: ToolPreview, call: PendingTool): { metadata?: Record<string, unknown> } {
  if (isOutsideQuestion(call)) return { metadata: { outsideSandbox: true } };
  const digest = digestOf(preview);
  return digest === undefined ? {} : { metadata: { preview: digest } };
}

/** Whether a call asks the user something that is answered in words. */
export const isQuestion = (call: PendingTool): boolean =>
  call.interrupt !== undefined && call.approval !== true && call.review !== true && !isOutsideQuestion(call);
