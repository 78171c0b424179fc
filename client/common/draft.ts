/** What the user is writing in the composer. It belongs to one team. */
export interface Draft {
  /** With the addressee, as it stands in the text box. */
  readonly text: string;
}

export const NO_DRAFT: Draft = { text: "" };

/** Whether there is nothing to keep. */
export function isEmptyDraft({ text }: Draft): boolean {
  return text === "";
}
