/** A count with its noun: `1 message`, `5 messages`. The same in every locale, as models and stored events have it. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
