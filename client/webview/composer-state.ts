import { computed, effect, signal } from "@preact/signals";
import { keepDraft, keptDraft, post } from "./host-bridge.ts";
import { addressedTo, withAddressee } from "./mentions.ts";
import { composeRequest, host, team, trusted } from "./page-state.ts";
import { agentsOf } from "./people.ts";
import { roster } from "./roster.ts";

/** What is being written. It outlives the page, which the editor drops while it is hidden. */
export const draft = signal(keptDraft());
/** What is wrong with what was to be sent. */
export const complaint = signal("");
/** Counts the wishes to have the focus in the box. */
export const focusWish = signal(0);

export const agentNames = computed(() => agentsOf(roster.value).map(({ name }) => name));

/** What can be done with the box now. */
export const mode = computed<"task" | "continue" | "running" | "awaitingTools" | "closed">(() => {
  const now = team.value;
  if (now === null || !trusted.value) return "closed";
  if (now.status === "running" || now.status === "interrupting") return "running";
  if (now.status === "awaitingTools") return "awaitingTools";
  return now.status === "paused" ? "continue" : "task";
});

export function write(text: string): void {
  draft.value = text;
  complaint.value = "";
  keepDraft(text);
}

/** Addresses what is being written to one participant, and asks for the focus. */
export function addressed(name: string): void {
  write(withAddressee(draft.value, name, agentNames.value));
  focusWish.value++;
}

/** Sends what is written, to whom it is for, or says why not. An empty box goes on with a paused team. */
export function submit(): void {
  const message = addressedTo(draft.value, agentNames.value);
  const refusal = refusalOf(message);
  complaint.value = refusal;
  if (refusal !== "") return;
  if (message.to === null) post({ type: "run", text: message.text });
  else post({ type: "send", to: message.to, text: message.text });
  write("");
}

function refusalOf({ to, text }: { readonly to: string | null; readonly text: string }): string {
  if (host.value === "down") return "The agent host has stopped; restart it first.";
  if (mode.value === "awaitingTools") return "A tool call waits for you. Approve or deny it first.";
  if (to !== null) return text === "" ? `Write what ${to} should hear.` : "";
  if (mode.value === "running")
    return "The team is at work. Type @ to pick who should hear this, or interrupt it first.";
  if (text === "" && mode.value !== "continue") return "Write what the team should do.";
  return "";
}

effect(() => {
  const wish = composeRequest.value;
  if (wish === null) return;
  if (wish.text !== undefined) write(wish.text);
  if (wish.to !== undefined) write(withAddressee(draft.peek(), wish.to, agentNames.peek()));
  // Where there is no box to write in, the wish ends: the focus must not jump here when there is one some day.
  if (trusted.peek()) focusWish.value = focusWish.peek() + 1;
});
