import { computed } from "@preact/signals";
import type { PendingTool } from "../../../shared/contract/team.ts";
import { outsideQuestionOf } from "../../common/outside-question.ts";
import { isObserver } from "./own-role.ts";
import { budgetPause, team, trusted, userTurn } from "./page-state.ts";

/** What the composer can be used for now. */
export const composerMode = computed<
  "task" | "continue" | "running" | "awaitingTools" | "userTurn" | "budget" | "observing" | "closed"
>(() => {
  const now = team.value;
  if (now === null || !trusted.value) return "closed";
  if (isObserver.value) return "observing";
  if (now.status === "running" || now.status === "interrupting") return "running";
  if (now.status === "awaitingTools") return "awaitingTools";
  if (userTurn.value !== null) return "userTurn";
  if (budgetPause.value !== null) return "budget";
  return now.status === "paused" ? "continue" : "task";
});

/** Whether all that waits for the user are questions of participants: no call that needs approval, and no result. */
export const asksOnly = computed(() => {
  const calls = team.value?.pendingTools ?? [];
  return calls.length > 0 && calls.every(isQuestion);
});

const isQuestion = (call: PendingTool): boolean =>
  call.approval !== true && call.review !== true && outsideQuestionOf(call) === undefined;
