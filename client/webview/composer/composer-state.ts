import { computed, effect, signal } from "@preact/signals";
import type { Delivery } from "../../common/page-messages.ts";
import { mode } from "../state/composer-mode.ts";
import { keep, kept, post } from "../state/editor-bridge.ts";
import { composeRequest, host, trusted, userTurn } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { agentsOf } from "../text/participants.ts";
import { addressedTo, withAddressee } from "./mentions.ts";

/** What is being written. It outlives the page, which the editor drops while it is hidden. */
export const draft = signal(kept().draft ?? "");
/** When a message to one participant is given while the team is at work; it outlives the page too. */
export const delivery = signal<Delivery>(kept().delivery ?? "now");
/** No other participant is to be shown what is being written. It holds for one message. */
export const onlyTarget = signal(false);
/** What is wrong with what was to be sent. */
export const complaint = signal("");
/** Counts the wishes to have the focus in the box. */
export const focusWish = signal(0);

export const agentNames = computed(() => agentsOf(roster.value).map(({ name }) => name));

export function write(text: string): void {
  draft.value = text;
  complaint.value = "";
  keep({ draft: text });
}

export function deliver(wanted: Delivery): void {
  delivery.value = wanted;
  keep({ delivery: wanted });
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
  else {
    const when = mode.value === "running" && delivery.value !== "now" ? { delivery: delivery.value } : {};
    post({ type: "send", ...message, to: message.to, ...when, ...(onlyTarget.value ? { onlyTarget: true } : {}) });
  }
  onlyTarget.value = false;
  write("");
}

/** Grants a used-up budget once more. What is being written stays. */
export function grantBudget(): void {
  complaint.value = host.value === "down" ? HOST_DOWN : "";
  if (complaint.value === "") post({ type: "run", text: "" });
}

/** Ends the paused run: the next task begins anew. */
export function stopHere(): void {
  complaint.value = host.value === "down" ? HOST_DOWN : "";
  if (complaint.value === "") post({ type: "stop" });
}

const HOST_DOWN = "The agent host has stopped; restart it first.";

function refusalOf({ to, text }: { readonly to: string | null; readonly text: string }): string {
  if (host.value === "down") return HOST_DOWN;
  if (mode.value === "awaitingTools") return "A tool call waits for you. Approve or deny it first.";
  if (to !== null) return text === "" ? `Write what ${to} should hear.` : "";
  if (mode.value === "running")
    return "The team is at work. Type @ to pick who should hear this, or interrupt it first.";
  if (text === "" && mode.value === "userTurn") return `Write what ${userTurn.value} says.`;
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

// Where it becomes the user's turn to speak, the box is where one would click. Nobody who works elsewhere in the editor is called away.
effect(() => {
  if (mode.value === "userTurn" && document.hasFocus()) focusWish.value = focusWish.peek() + 1;
});
