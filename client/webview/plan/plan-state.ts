import { computed } from "@preact/signals";
import type { Plan } from "../../../shared/contract/plan.ts";
import type { TeamSnapshot } from "../../../shared/contract/team.ts";
import { team } from "../state/page-state.ts";

/** The plan of a participant of the team or of a nested one. */
export interface ShownPlan {
  /** As a directed message names the participant. */
  readonly to: string;
  readonly plan: Plan;
}

/** The plans to show, in the order of the participants. */
export const plans = computed<readonly ShownPlan[]>(() => (team.value === null ? [] : plansOf(team.value, "")));

function plansOf({ participants, plans: own = {}, inner = {} }: Shown, prefix: string): readonly ShownPlan[] {
  return participants.flatMap(({ name }) => {
    const plan = Object.hasOwn(own, name) ? own[name] : undefined;
    const nested = Object.hasOwn(inner, name) ? inner[name] : undefined;
    return [
      ...(plan === undefined ? [] : [{ to: `${prefix}${name}`, plan }]),
      ...(nested === undefined ? [] : plansOf(nested, `${prefix}${name}/`)),
    ];
  });
}

interface Shown extends Pick<TeamSnapshot, "participants" | "plans"> {
  readonly inner?: Readonly<Record<string, Shown>> | undefined;
}
