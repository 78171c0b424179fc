import type { DurableDraft } from "../../../shared/contract/event.ts";
import type { ModelCallContext, ModelWait } from "../model.ts";

type WaitDraft = Extract<DurableDraft, { type: "model/waiting" | "model/waited" }>;

/** Reports when a request of `participant` waits for its endpoint, and when it does no longer. */
export function waitReporter(
  participant: string,
  report: (draft: WaitDraft) => void,
): NonNullable<ModelCallContext["onWait"]> {
  let endpoint = "";
  return (wait: ModelWait | undefined) => {
    if (wait === undefined) {
      report({ type: "model/waited", participant, endpoint });
      return;
    }
    endpoint = wait.endpoint;
    const until = wait.until === undefined ? {} : { until: new Date(wait.until).toISOString() };
    report({ type: "model/waiting", participant, endpoint, ...until });
  };
}
