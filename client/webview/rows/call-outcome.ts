import type { CallView } from "../../common/timeline/items.ts";
import type { IconName } from "../ui/icon.tsx";

/** How a call looks on its line. */
export interface CallOutcome {
  readonly icon: IconName;
  readonly tone: "quiet" | "good" | "bad" | "warning";
  readonly word: string;
  /** The word is for screen readers alone: the icon says the same. */
  readonly quiet?: true;
}

/**
 * What became of a call, or what it waits for.
 * @param who the name of a decision's author.
 * @param isOther whether that is another user than the one of this window.
 * @param isUndone whether its edits were undone.
 */
export function callOutcome(
  call: CallView,
  { who, isOther }: { readonly who: (by: string) => string; readonly isOther: (by: string) => boolean },
  isUndone: boolean,
): CallOutcome {
  if (isUndone) return { icon: "discard", tone: "quiet", word: "Undone" };
  const { state, decision, reviewed } = call;
  const byUser = decision === undefined ? "" : ` by ${who(decision.by)}`;
  // The buttons were there for this user, too.
  const other = decision === undefined || !isOther(decision.by) ? undefined : who(decision.by);
  if (reviewed === "edited") return { icon: "edit", tone: "quiet", word: `Result edited${byUser}` };
  if (reviewed === "withheld") return { icon: "circle-slash", tone: "quiet", word: `Result withheld${byUser}` };
  switch (state) {
    case "requested":
      return { icon: "watch", tone: "quiet", word: "requested", quiet: true };
    case "running":
      return { icon: "loading", tone: "quiet", word: "running", quiet: true };
    case "waiting":
      return { icon: "shield", tone: "warning", word: call.review ? "Result to review" : "Approval needed" };
    case "succeeded":
      return decision?.how === "respond" && reviewed === undefined
        ? { icon: "person", tone: "quiet", word: `Answered by ${who(decision.by)}` }
        : byOther(endOfCommand(call), other);
    case "failed":
      return { icon: "error", tone: "bad", word: "Failed" };
    case "denied":
      return {
        icon: "circle-slash",
        tone: "quiet",
        word: [
          other === undefined ? "Rejected" : `Rejected by ${other}`,
          ...(decision?.reason === undefined ? [] : [decision.reason]),
        ].join(": "),
      };
    case "interrupted":
      return { icon: "debug-pause", tone: "warning", word: "Interrupted" };
    case "abandoned":
      return { icon: "warning", tone: "warning", word: "Did not stop" };
  }
}

function endOfCommand({ exit }: CallView): CallOutcome {
  if (exit !== undefined && "timedOut" in exit) return { icon: "error", tone: "bad", word: "Timed out" };
  if (exit !== undefined && "signal" in exit) return { icon: "error", tone: "bad", word: `Ended by ${exit.signal}` };
  if (exit !== undefined && exit.code !== 0) return { icon: "error", tone: "bad", word: `Exit code ${exit.code}` };
  return { icon: "check", tone: "good", word: "done", quiet: true };
}

/** What went well says who let it run, if that was another user. */
function byOther(outcome: CallOutcome, other: string | undefined): CallOutcome {
  if (other === undefined || outcome.quiet !== true) return outcome;
  return { icon: outcome.icon, tone: "quiet", word: `Approved by ${other}` };
}
