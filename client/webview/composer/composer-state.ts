import { computed, effect, signal } from "@preact/signals";
import type { Delivery } from "../../common/page-messages.ts";
import { composerMode } from "../state/composer-mode.ts";
import { post, storedState, storeState } from "../state/editor-bridge.ts";
import { composeRequest, host, openedDraft, trusted, userTurn } from "../state/page-state.ts";
import { type Roster, roster } from "../state/roster.ts";
import { agentsOf } from "../text/participants.ts";
import { parseAddressee, withAddressee } from "./mentions.ts";

/** The text in the composer. The extension keeps it for the team. */
export const draft = signal("");
/** When a message to a participant of a running team is delivered. The editor stores it too. */
export const delivery = signal<Delivery>(storedState().delivery ?? "now");
/** Whether the next message is visible only to its addressee. Reset after each message. */
export const onlyTarget = signal(false);
/** Why the text cannot be sent; empty when it can. */
export const inputError = signal("");
/** Counts the requests to focus the text box. */
export const focusRequests = signal(0);

/** Who can be sent a message: `name`, or `team/name` in a nested team. */
export const agentNames = computed(() => addressesIn(roster.value, ""));

function addressesIn(members: Roster, path: string): string[] {
  return agentsOf(members).flatMap(({ name }) => {
    const inner = members.inner.get(name);
    return [path + name, ...(inner === undefined ? [] : addressesIn(inner, `${path + name}/`))];
  });
}

export function setDraft(text: string): void {
  draft.value = text;
  inputError.value = "";
  post({ type: "draft", draft: { text } });
}

export function chooseDelivery(wanted: Delivery): void {
  delivery.value = wanted;
  storeState({ delivery: wanted });
}

/** Addresses the text to a participant, and focuses the text box. */
export function addressTo(name: string): void {
  setDraft(withAddressee(draft.value, name, agentNames.value));
  focusRequests.value++;
}

/** Sends the text, or sets {@link inputError}. An empty text continues a paused team. */
export function submit(): void {
  const message = parseAddressee(draft.value, agentNames.value);
  const problem = problemWith(message);
  inputError.value = problem;
  if (problem !== "") return;
  if (message.to === null) post({ type: "run", text: message.text });
  else {
    const when = composerMode.value === "running" && delivery.value !== "now" ? { delivery: delivery.value } : {};
    post({ type: "send", ...message, to: message.to, ...when, ...(onlyTarget.value ? { onlyTarget: true } : {}) });
  }
  onlyTarget.value = false;
  setDraft("");
}

/** Continues a run that a budget paused, with the same budget again. The text stays. */
export function extendBudget(): void {
  inputError.value = host.value === "down" ? HOST_DOWN : "";
  if (inputError.value === "") post({ type: "run", text: "" });
}

/** Ends the paused run: the next task starts a new run. */
export function endPausedRun(): void {
  inputError.value = host.value === "down" ? HOST_DOWN : "";
  if (inputError.value === "") post({ type: "stop" });
}

const HOST_DOWN = "The agent host is not running. Restart it first.";

function problemWith({ to, text }: { readonly to: string | null; readonly text: string }): string {
  if (host.value === "down") return HOST_DOWN;
  if (to !== null) return text === "" ? `Enter a message for ${to}.` : "";
  if (composerMode.value === "awaitingTools")
    return "A tool call is waiting for you. Type @ to message a participant, or interrupt the team first.";
  if (composerMode.value === "running")
    return "The team is running. Type @ to message a participant, or interrupt the team first.";
  if (text === "" && composerMode.value === "userTurn") return `Enter a message as ${userTurn.value}.`;
  if (text === "" && composerMode.value !== "continue") return "Enter a task.";
  return "";
}

// Another team is shown, with what the user was writing to it.
effect(() => {
  const opened = openedDraft.value;
  if (opened === null) return;
  draft.value = opened.text;
  inputError.value = "";
  onlyTarget.value = false;
});

effect(() => {
  const request = composeRequest.value;
  if (request === null) return;
  if (request.text !== undefined) setDraft(request.text);
  if (request.to !== undefined) setDraft(withAddressee(draft.peek(), request.to, agentNames.peek()));
  // Without trust there is no text box: the focus must not jump there when trust is granted later.
  if (trusted.peek()) focusRequests.value = focusRequests.peek() + 1;
});
