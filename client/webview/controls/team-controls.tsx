import { computed } from "@preact/signals";
import type { PendingTool } from "../../../shared/contract/team.ts";
import { listText } from "../../../shared/text/list-text.ts";
import { participantPath } from "../../../shared/text/nested-teams.ts";
import { questionTitle, type UserQuestion } from "../../../shared/text/user-question.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import { endPausedRun, extendBudget, submit } from "../composer/composer-state.ts";
import { draft } from "../composer/draft.ts";
import { question, showQuestion } from "../question/question-state.ts";
import { asksOnly, composerMode } from "../state/composer-mode.ts";
import { isForOthers } from "../state/own-role.ts";
import { budgetPause, team } from "../state/page-state.ts";
import { STOPS_AFTER_TURN } from "../text/interrupt-text.ts";
import { revealPendingCall } from "../thread/reveal-pending-call.ts";
import { Icon } from "../ui/icon.tsx";
import { InterruptButton, KeepRunning, RunControls } from "./run-controls.tsx";

const interrupted = computed(() => team.value?.interrupted === true);
/** What the team waits for, and what it does then. */
const waitingText = computed(() => {
  const text = waitsFor(team.value?.pendingTools ?? []);
  return team.value?.stopRequested ? `${STOPS_AFTER_TURN}. ${text}` : text;
});

/** Whose question it is, or the tools, each once. A result that waits for review is no question. */
function waitsFor(calls: readonly PendingTool[]): string {
  const isReview = calls.length > 0 && calls.every(({ review }) => review);
  if (asksOnly.value) {
    const who = new Set(calls.map(({ path, participant }) => participantPath(path, participant)));
    return `${visibleLines(listText([...who]))} ${who.size === 1 ? "asks" : "ask"} you`;
  }
  const names = new Map<string, number>();
  for (const { name } of calls) names.set(name, (names.get(name) ?? 0) + 1);
  const tools = [...names].map(([name, count]) => (count === 1 ? name : `${name} (${count} calls)`));
  if (isForOthers.value) return `Waiting for a decision of others: ${visibleLines(tools.join(", "))}`;
  const what = isReview ? "Waiting for your review of a result" : "Waiting for your decision";
  return `${what}: ${visibleLines(tools.join(", "))}`;
}

/** The actions of the team's current state: interrupt, continue, end the run, or show the pending call. */
export function TeamControls() {
  switch (composerMode.value) {
    case "running":
      return <RunControls />;
    case "continue":
      return (
        <div class="controls above-composer">
          <span class="controls-text">
            <Icon name="debug-pause" />
            <StateText>{interrupted.value ? "Interrupted. All messages are kept." : "Paused"}</StateText>
          </span>
          <button type="button" class="button" disabled={draft.value.trim() !== ""} onClick={() => submit()}>
            <Icon name="play" /> Continue
          </button>
        </div>
      );
    case "awaitingTools":
      return (
        <div class="controls above-composer is-waiting">
          <span class="controls-text">
            <Icon name={asksOnly.value ? "question" : "shield"} />
            <StateText>{waitingText.value}</StateText>
          </span>
          <span class="controls-buttons">
            <button type="button" class="button is-secondary" onClick={revealPendingCall}>
              Show
            </button>
            <KeepRunning />
            <InterruptButton />
          </span>
        </div>
      );
    case "budget":
      return (
        <div class="controls above-composer is-waiting is-budget">
          <span class="controls-text">
            <Icon name="debug-pause" />
            <StateText>{`Paused: ${budgetPause.value}`}</StateText>
          </span>
          <span class="controls-buttons">
            <button
              type="button"
              class="button is-secondary"
              title="End the run; the next task starts a new one"
              onClick={endPausedRun}
            >
              End Run
            </button>
            <button type="button" class="button" title="Continue with the same budget again" onClick={extendBudget}>
              Continue
            </button>
          </span>
        </div>
      );
    case "userTurn":
    case "task":
      return question.value === null ? null : <QuestionControls asked={question.value} />;
    case "observing":
    case "closed":
      return null;
  }
}

/** Some lines of it, as many as the page has room for. */
function StateText({ children }: { readonly children: string }) {
  return (
    <span class="state-text" title={children}>
      {children}
    </span>
  );
}

/** Says that the user has the turn, and leads to the answer box in the thread. */
function QuestionControls({ asked }: { readonly asked: UserQuestion }) {
  return (
    <div class="controls above-composer is-waiting">
      <span class="controls-text">
        <Icon name="question" />
        <strong class="state-text" title={questionTitle(asked)}>
          {questionTitle(asked)}
        </strong>
      </span>
      <button type="button" class="button" onClick={showQuestion}>
        Answer
      </button>
    </div>
  );
}
