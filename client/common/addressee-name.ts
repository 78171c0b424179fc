/** Who a message is for, to be used within a sentence: the whole team if it names no participant. */
export const addresseeName = (to: string | undefined): string => to ?? "the team";
