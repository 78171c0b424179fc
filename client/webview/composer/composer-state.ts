import { computed, effect, signal, untracked } from "@preact/signals";
import { isEmptyDraft } from "../../common/attachments.ts";
import type { Delivery } from "../../common/page-messages.ts";
import { agentsOf } from "../../common/participants/participants.ts";
import type { Roster } from "../../common/participants/team-roster.ts";
import { slashCommandNames } from "../../common/slash-commands.ts";
import { composerMode } from "../state/composer-mode.ts";
import { post } from "../state/editor-bridge.ts";
import { isObserver } from "../state/own-role.ts";
import { composeRequest, host, openedDraft, trusted, userTurn, whileRunning } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { attachAll } from "./attachments/attached.ts";
import { waiting } from "./attachments/pending.ts";
import {
  attachments,
  draft,
  draftOwner,
  focusRequests,
  held,
  lengthProblem,
  problems,
  setDraft,
  showProblem,
  takeDraft,
} from "./draft.ts";
import { parseAddressee, withAddressee } from "./mentions.ts";
import { promptIn } from "./server-offers.ts";

/** Whether the next message is visible only to its addressee. Reset after each message. */
export const onlyTarget = signal(false);

/** Who can be sent a message: `name`, or `team/name` in a nested team. */
export const agentNames = computed(() => addressesIn(roster.value, ""));

/** Whether the team runs, or would if calls did not wait for the user. */
const isBusy = computed(() => composerMode.value === "running" || composerMode.value === "awaitingTools");

/**
 * Whether a message to a participant, or with null to the team, can be delivered in several ways. While calls wait, a
 * participant answers beside them.
 */
export const hasDelivery = (to: string | null): boolean =>
  to === null ? isBusy.value : composerMode.value === "running";

/** The participant that the draft is addressed to; null for the team. */
export const addressee = computed(() => parseAddressee(draft.value, agentNames.value).to);

function addressesIn(members: Roster, path: string): string[] {
  return agentsOf(members).flatMap(({ name }) => {
    const inner = members.inner.get(name);
    return [path + name, ...(inner === undefined ? [] : addressesIn(inner, `${path + name}/`))];
  });
}

/** Addresses the text to a participant, and focuses the text box. */
export function addressTo(name: string): void {
  if (isObserver.value) return;
  setDraft(withAddressee(draft.value, name, agentNames.value));
  focusRequests.value++;
}

/**
 * Sends the draft, or sets {@link problems}; while something is being attached to it, once that is done. An empty one
 * continues a paused team. `delivery` says how a running team gets it, as the setting says if it is left out.
 */
export function submit(delivery: Delivery = whileRunning.value): void {
  if (runCommand()) return;
  const message = parseAddressee(draft.value, agentNames.value);
  const problem = problemWith(message);
  showProblem(problem);
  if (problem !== undefined) return;
  if (waiting.peek().count > 0) {
    held.value = delivery;
    return;
  }
  const { attachments: taken } = takeDraft();
  const how = {
    ...(hasDelivery(message.to) ? { delivery } : {}),
    ...(taken.length === 0 ? {} : { attachments: taken }),
  };
  if (message.to === null) post({ type: "run", text: message.text, ...how });
  else post({ type: "send", ...message, to: message.to, ...how, ...(onlyTarget.value ? { onlyTarget: true } : {}) });
  onlyTarget.value = false;
}

/** Runs the slash command that is the whole draft, or uses the prompt. Other text that starts with a slash is a message. */
function runCommand(): boolean {
  const name = slashCommandNames.find((candidate) => draft.value.trim().toLowerCase() === `/${candidate}`);
  const offered = name === undefined ? promptIn(draft.value) : undefined;
  if (name === undefined && offered === undefined) return false;
  setDraft("");
  if (name !== undefined) post({ type: "slashCommand", name });
  else if (offered !== undefined) post({ type: "usePrompt", server: offered.server, prompt: offered.prompt.name });
  return true;
}

/** Continues a run that a budget paused, with the same budget again. The text stays. */
export function extendBudget(): void {
  showProblem(hostProblem());
  if (problems.value.length === 0) post({ type: "run", text: "" });
}

/** Ends the paused run: the next task starts a new run. */
export function endPausedRun(): void {
  showProblem(hostProblem());
  if (problems.value.length === 0) post({ type: "stop" });
}

const hostProblem = (): string | undefined =>
  host.value === "down" ? "The agent host is not running. Restart it first." : undefined;

function problemWith({ to, text }: { readonly to: string | null; readonly text: string }): string | undefined {
  const problem = hostProblem() ?? lengthProblem(draft.value);
  if (problem !== undefined) return problem;
  if (to !== null) return text === "" ? `Enter a message for ${to}.` : undefined;
  if (text === "" && composerMode.value === "userTurn") return `Enter a message as ${userTurn.value}.`;
  if (text === "" && isBusy.value) return "Enter a message.";
  if (text === "" && !isEmptyDraft({ text: "", attachments: attachments.peek() }))
    return "Enter a message that says what to do with what is attached.";
  if (text === "" && composerMode.value !== "continue") return "Enter a task.";
  return undefined;
}

effect(() => {
  if (openedDraft.value !== null) onlyTarget.value = false;
});

effect(() => {
  const request = composeRequest.value;
  if (request === null || isObserver.peek()) return;
  // A text is an offer: it never takes the place of what the user has written.
  if (request.text !== undefined && draft.peek().trim() === "") setDraft(request.text);
  if (request.to !== undefined) setDraft(withAddressee(draft.peek(), request.to, agentNames.peek()));
  const { attachments: added } = request;
  if (added !== undefined) {
    showProblem(undefined);
    attachAll(draftOwner(), { ...request, attachments: added });
  }
  // Without trust there is no text box: the focus must not jump there when trust is granted later.
  if (trusted.peek()) focusRequests.value = focusRequests.peek() + 1;
});

effect(() => {
  const delivery = held.value;
  if (delivery === null || waiting.value.count > 0) return;
  untracked(() => submit(delivery));
});
