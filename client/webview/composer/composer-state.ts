import { computed, effect, signal } from "@preact/signals";
import type { Delivery } from "../../common/page-messages.ts";
import { composerMode } from "../state/composer-mode.ts";
import { post, savedState, saveState } from "../state/editor-bridge.ts";
import { composeRequest, host, trusted, userTurn } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { agentsOf } from "../text/participants.ts";
import { parseAddressee, withAddressee } from "./mentions.ts";

/** What is being written. It outlives the page, which the editor drops while it is hidden. */
export const draft = signal(savedState().draft ?? "");
/** When a message to one participant is given while the team is at work; it outlives the page too. */
export const delivery = signal<Delivery>(savedState().delivery ?? "now");
/** No other participant is to be shown what is being written. It holds for one message. */
export const onlyTarget = signal(false);
/** What is wrong with what was to be sent. */
export const inputError = signal("");
/** Counts the wishes to have the focus in the box. */
export const focusRequests = signal(0);

export const agentNames = computed(() => agentsOf(roster.value).map(({ name }) => name));

export function setDraft(text: string): void {
  draft.value = text;
  inputError.value = "";
  saveState({ draft: text });
}

export function chooseDelivery(wanted: Delivery): void {
  delivery.value = wanted;
  saveState({ delivery: wanted });
}

/** Addresses what is being written to one participant, and asks for the focus. */
export function addressTo(name: string): void {
  setDraft(withAddressee(draft.value, name, agentNames.value));
  focusRequests.value++;
}

/** Sends what is written, to whom it is for, or says why not. An empty box goes on with a paused team. */
export function submit(): void {
  const message = parseAddressee(draft.value, agentNames.value);
  const refusal = problemWith(message);
  inputError.value = refusal;
  if (refusal !== "") return;
  if (message.to === null) post({ type: "run", text: message.text });
  else {
    const when = composerMode.value === "running" && delivery.value !== "now" ? { delivery: delivery.value } : {};
    post({ type: "send", ...message, to: message.to, ...when, ...(onlyTarget.value ? { onlyTarget: true } : {}) });
  }
  onlyTarget.value = false;
  setDraft("");
}

/** Grants a used-up budget once more. What is being written stays. */
export function extendBudget(): void {
  inputError.value = host.value === "down" ? HOST_DOWN : "";
  if (inputError.value === "") post({ type: "run", text: "" });
}

/** Ends the paused run: the next task begins anew. */
export function endPausedRun(): void {
  inputError.value = host.value === "down" ? HOST_DOWN : "";
  if (inputError.value === "") post({ type: "stop" });
}

const HOST_DOWN = "The agent host has stopped; restart it first.";

function problemWith({ to, text }: { readonly to: string | null; readonly text: string }): string {
  if (host.value === "down") return HOST_DOWN;
  if (composerMode.value === "awaitingTools") return "A tool call waits for you. Approve or deny it first.";
  if (to !== null) return text === "" ? `Write what ${to} should hear.` : "";
  if (composerMode.value === "running")
    return "The team is at work. Type @ to pick who should hear this, or interrupt it first.";
  if (text === "" && composerMode.value === "userTurn") return `Write what ${userTurn.value} says.`;
  if (text === "" && composerMode.value !== "continue") return "Write what the team should do.";
  return "";
}

effect(() => {
  const wish = composeRequest.value;
  if (wish === null) return;
  if (wish.text !== undefined) setDraft(wish.text);
  if (wish.to !== undefined) setDraft(withAddressee(draft.peek(), wish.to, agentNames.peek()));
  // Where there is no box to write in, the wish ends: the focus must not jump here when there is one some day.
  if (trusted.peek()) focusRequests.value = focusRequests.peek() + 1;
});

// Where it becomes the user's turn to speak, the box is where one would click. Nobody who works elsewhere in the editor is called away.
effect(() => {
  if (composerMode.value === "userTurn" && document.hasFocus()) focusRequests.value = focusRequests.peek() + 1;
});
