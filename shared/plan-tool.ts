import type { Plan } from "./contract/plan.ts";
import { isRecord } from "./json-record.ts";

/** The tool with which a participant writes its plan. */
export const PLAN_TOOL = "todo";

/** How many of the steps are done: `2 of 5`. */
export const doneCount = (items: Plan["items"]): string =>
  `${items.filter(({ status }) => status === "done").length} of ${items.length}`;

/** How far a plan is: `2 of 5 done`. */
export const progressText = (items: Plan["items"]): string => `${doneCount(items)} done`;

/** The step of a call of {@link PLAN_TOOL} to show on its line: the one in progress, else how many there are. */
export function planInputText(input: unknown): string {
  const items = isRecord(input) && Array.isArray(input["items"]) ? input["items"].filter(isRecord) : [];
  const current = items.find(({ status }) => status === "inProgress")?.["text"];
  const done = items.filter(({ status }) => status === "done").length;
  const progress = items.length === 0 ? "" : `${done} of ${items.length} done`;
  return typeof current === "string" ? `${progress} · ${current}` : progress;
}
