import { signal } from "@preact/signals";

/** Counts the requests to find something in the thread; 0 while the find widget is closed. */
export const findRequest = signal(0);
export const findQuery = signal("");
export const matchesCase = signal(false);
/** The message whose match is to be shown first, once it is found. */
export const findTarget = signal<string | null>(null);

/** Opens the find widget, or focuses it. Without a query, what is selected is what to find. */
export function openFind(query = selectedText(), messageId?: string): void {
  if (query !== "") findQuery.value = query;
  findTarget.value = messageId ?? null;
  findRequest.value++;
}

export function closeFind(): void {
  findRequest.value = 0;
}

/** A selection that is likely to be what the user looks for; empty if there is none. */
function selectedText(): string {
  const selected = String(getSelection()).trim();
  return selected.includes("\n") || selected.length > 200 ? "" : selected;
}
