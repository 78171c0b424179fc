import { computed, effect, signal } from "@preact/signals";
import { type UserQuestion, userQuestionOf } from "../../../shared/text/user-question.ts";
import { post, storedState, storeState } from "../state/editor-bridge.ts";
import { canAct } from "../state/own-role.ts";
import { host, team } from "../state/page-state.ts";

/** The question that waits for the user; null if there is none, or the user may not answer. */
export const question = computed<UserQuestion | null>(() =>
  team.value === null || !canAct.value ? null : userQuestionOf(team.value),
);

/** False while a run is in progress: others answer a message first. */
export const canAnswer = computed(() => team.value?.status === "paused" || team.value?.status === "idle");

/** What is written to each question so far. The editor stores it while the page is hidden. */
const answers = signal<Readonly<Record<string, string>>>(storedState().answers ?? {});

const place = computed(() => `${team.value?.teamId ?? ""} ${question.value?.key ?? ""}`);

export const answer = computed(() => answers.value[place.value] ?? "");
/** Why the answer cannot be sent; empty when it can. */
export const answerError = signal("");
/** Counts the requests to focus the answer box. */
export const answerRequests = signal(0);

export function setAnswer(text: string): void {
  const { [place.peek()]: _, ...others } = answers.peek();
  answers.value = text === "" ? others : { ...others, [place.peek()]: text };
  answerError.value = "";
  storeState({ answers: answers.peek() });
}

/** Sends the answer; `handoff` is who speaks next, the team decides if it is left out. */
export function sendAnswer(handoff?: string): void {
  answerError.value = problem();
  if (answerError.value !== "") return;
  post({ type: "answer", text: answer.value.trim(), ...(handoff === undefined ? {} : { handoff }) });
  setAnswer("");
}

function problem(): string {
  if (host.value === "down") return "The agent host is not running. Restart it first.";
  if (!canAnswer.value) return "Someone is answering your message. Send your answer after that.";
  return answer.value.trim() === "" ? "Enter an answer." : "";
}

/** Shows the question and focuses its answer box. */
export function showQuestion(): void {
  answerRequests.value++;
}

// When a question comes, focus its box, unless the user is working elsewhere in the editor, or is writing something.
let shown = "";
effect(() => {
  const now = question.value === null ? "" : place.value;
  const isNew = now !== "" && now !== shown;
  shown = now;
  const isWriting = document.activeElement instanceof HTMLTextAreaElement && document.activeElement.value !== "";
  if (isNew && document.hasFocus() && !isWriting) showQuestion();
});
