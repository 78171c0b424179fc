import { useEffect, useRef } from "preact/hooks";
import { choiceQuestionOf } from "../../../shared/ask-user.ts";
import { isRecord, ownValue } from "../../../shared/json-record.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import type { CallCard as Card, ShownEdit } from "../../common/call-card.ts";
import { outsideQuestionOf } from "../../common/outside-question.ts";
import type { CallView } from "../../common/timeline/items.ts";
import { post } from "../state/editor-bridge.ts";
import { canAct } from "../state/own-role.ts";
import { callCards } from "../state/page-state.ts";
import { fullText } from "../text/tool-text.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { TextBlock } from "../ui/text-block.tsx";
import { AcceptAll } from "./accept-all.tsx";
import { Approvals, approvalsOf, type ShownApprovals, underApproval } from "./call-approvals.tsx";
import { CallBody } from "./call-body.tsx";
import { CallDecision } from "./call-decision.tsx";
import type { Decided } from "./decision-button.tsx";
import { useFocusedDecision } from "./focused-decision.ts";
import { ResultDecision } from "./result-decision.tsx";
import { useSettled } from "./settled.ts";

export interface CallCardsProps {
  readonly calls: readonly CallView[];
  /** The participant that made them, with the path to a nested team. */
  readonly participant: string;
}

interface CallCardProps {
  readonly call: CallView;
  /** The participant that made it, with the path to a nested team. */
  readonly participant: string;
}

/** The cards of a row's calls that wait for the user. */
export function CallCards({ calls, participant }: CallCardsProps) {
  return (
    <>
      {calls.map((call) => (
        <CallCard key={call.ref} call={call} participant={participant} />
      ))}
      {calls.length > 1 && <AcceptAll calls={calls} />}
    </>
  );
}

/** A call that waits for the user: exactly what would run, and the buttons to decide. */
function CallCard({ call, participant }: CallCardProps) {
  const { ref, name } = call;
  // What others approve can be another input, which the card then shows.
  useEffect(() => post({ type: "showCall", ref }), [ref, underApproval(ref)]);
  const card = ownValue(callCards.value, ref);
  const settled = useSettled(card?.digest);
  const group = useRef<HTMLDivElement>(null);
  useFocusedDecision(group, ref, card !== undefined);
  const outside = outsideQuestionOf(call);
  const choices = choiceQuestionOf(call);
  const approvals = approvalsOf(ref);
  const isApproval = call.approval === true || outside !== undefined;
  const kind = call.review ? "Result to review" : isApproval ? "Approval needed" : "Question";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields; this is a group of text and buttons
    <div
      ref={group}
      class="card is-warning pending"
      role="group"
      tabIndex={-1}
      aria-label={`${kind}: ${name} of ${participant}`}
      data-ref={ref}
      data-settled={settled}
    >
      <Title call={call} card={card} participant={participant} />
      {card?.changed && (
        <p class="card-note">
          <Icon name="warning" /> This has changed since it was shown. Check it again.
        </p>
      )}
      {outside === undefined ? (
        <Question interrupt={choices?.question ?? call.reason ?? call.interrupt} />
      ) : (
        <p class="pending-question">{visibleLines(`It failed in the sandbox: ${outside.reason}.`)}</p>
      )}
      {card !== undefined && choices === undefined && <CallBody card={card} name={name} />}
      {card?.otherApproved !== undefined && <OtherApproved {...card.otherApproved} />}
      {card?.problem !== undefined && (
        <p class="card-note is-problem">
          <Icon name="error" /> <span>{visibleLines(`This call would fail now: ${card.problem}`)}</span>
        </p>
      )}
      <Approvals of={approvals} />
      {canAct.value && card !== undefined && approvals.own !== "others" && (
        <Decision call={call} card={card} on={{ callRef: ref, digest: card.digest, settled }} approvals={approvals} />
      )}
    </div>
  );
}

interface DecisionProps {
  readonly call: CallView;
  readonly card: Card;
  readonly on: Decided;
  readonly approvals: ShownApprovals;
}

function Decision({ call, card, on, approvals }: DecisionProps) {
  const { body } = card;
  if (body.kind === "result") return <ResultDecision call={call} card={card} body={body} on={on} />;
  return <CallDecision call={call} card={card} on={on} approvals={approvals} />;
}

function Title({ call, card, participant }: CallCardProps & { readonly card: Card | undefined }) {
  // A nested caller is shown with its path; several callers of the same call are named instead.
  const callers = card?.isShared ? card.callers : participant;
  const [icon, verb] = wants(call, card);
  const isOther = card === undefined || ["edits", "input", "long", "result"].includes(card.body.kind);
  const isNamed = isOther && choiceQuestionOf(call) === undefined;
  return (
    <div class="card-title">
      <Icon name={icon} />
      <span>
        <strong class="speaker-name">{visibleLines(callers)}</strong> {verb}
        {isNamed && (
          <>
            {" "}
            <code class="tool-name">{visibleLines(call.name)}</code>
          </>
        )}
      </span>
    </div>
  );
}

/** The icon of what a call would do, and the words for it. */
function wants(call: CallView, card: Card | undefined): readonly [IconName, string] {
  if (outsideQuestionOf(call) !== undefined) return ["shield", "wants to run a command outside the sandbox"];
  if (choiceQuestionOf(call) !== undefined) return ["question", "asks you"];
  if (call.review) return ["eye", "gets this when you send it: the result of"];
  if (call.approval !== true) return ["question", "asks you, using"];
  switch (card?.body.kind) {
    case "edit":
      return ["edit", `wants to ${editVerb(card.body.edit)} a file`];
    case "edits":
      return ["edit", `wants to edit ${countText(card.body.edits.length, "file")}, using`];
    case "command":
      return ["terminal", `wants to run a command${card.body.command.background ? " in the background" : ""}`];
    case "page":
      return ["globe", "wants to read a web page"];
    case "input":
    case "long":
    case "result":
    case undefined:
      return ["shield", "wants to use"];
  }
}

function editVerb({ isNew, isDeleted, movedFrom }: ShownEdit): string {
  if (movedFrom !== undefined) return "move";
  if (isDeleted) return "delete";
  return isNew ? "create" : "edit";
}

/** Why the user is asked: the question of a tool, or the reason why the call needs approval. */
function Question({ interrupt }: { readonly interrupt: unknown }) {
  if (interrupt === undefined || interrupt === true) return null;
  const asked = isRecord(interrupt) ? (interrupt["question"] ?? interrupt["message"]) : interrupt;
  return typeof asked === "string" ? (
    <p class="pending-question">{visibleLines(asked)}</p>
  ) : (
    <TextBlock text={fullText(interrupt)} label="Question" />
  );
}

/** What others have approved where it is not what the call proposes. */
function OtherApproved({ how, text }: NonNullable<Card["otherApproved"]>) {
  return (
    <>
      <p class="card-note">
        <Icon name="warning" />{" "}
        <span>
          {how === "restart"
            ? "The approvals so far are for another input, below. Approving the one above starts the count again."
            : "The approvals so far are for an answer in its place, below. Approving the call starts the count again."}
        </span>
      </p>
      <TextBlock text={text} label={how === "restart" ? "Approved input" : "Approved answer"} />
    </>
  );
}
