import { ownValue } from "../../../shared/json-record.ts";
import type { CallCard } from "../../common/call-card.ts";
import type { CallView } from "../../common/timeline/items.ts";
import { post } from "../state/editor-bridge.ts";
import { canAct } from "../state/own-role.ts";
import { callCards } from "../state/page-state.ts";
import { approvalsOf } from "./call-approvals.tsx";
import { useGuardedClick, useSettled } from "./settled.ts";

/** Accepts the calls of a row that wait for approval, each as its card shows it. */
export function AcceptAll({ calls }: { readonly calls: readonly CallView[] }) {
  const asked = calls.filter(({ approval, ref }) => approval === true && approvalsOf(ref).own === "decide");
  const cards = asked.flatMap(({ ref }) => ownValue(callCards.value, ref) ?? []);
  const isComplete = canAct.value && cards.length === asked.length && cards.length > 1 && cards.every(isAcceptable);
  const settled = useSettled(isComplete ? cards.map(({ digest }) => digest).join() : undefined);
  const guarded = useGuardedClick(settled, () =>
    post({ type: "acceptAll", calls: cards.map(({ ref, digest }) => ({ ref, digest })) }),
  );
  if (!isComplete) return null;
  return (
    <div class="button-row">
      <button type="button" class="button is-secondary" {...guarded}>
        {`Accept All (${cards.length})`}
      </button>
    </div>
  );
}

/** One click is enough for it. */
const isAcceptable = ({ problem, body, asksAgain }: CallCard): boolean =>
  problem === undefined && body.kind !== "long" && asksAgain === undefined;
