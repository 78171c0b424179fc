import { useState } from "preact/hooks";
import { choiceQuestionOf } from "../../../shared/ask-user.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import type { CallCard, CardDecision } from "../../common/call-card.ts";
import { outsideQuestionOf } from "../../common/outside-question.ts";
import type { CallView } from "../../common/timeline/items.ts";
import { post } from "../state/editor-bridge.ts";
import { canChair } from "../state/own-role.ts";
import type { ShownApprovals } from "./call-approvals.tsx";
import { ChoiceForm } from "./choice-form.tsx";
import { type Decided, DecisionButton, decide } from "./decision-button.tsx";
import { InlineForm } from "./inline-form.tsx";
import { RejectButton } from "./reject-button.tsx";
import { RuleMenu } from "./rule-menu.tsx";

interface Props {
  readonly call: CallView;
  readonly card: CallCard;
  readonly on: Decided;
  readonly approvals: ShownApprovals;
}

/** What the user writes before a decision. */
type Form = "reason" | "answer" | "command";

/** The buttons of a card, or the form that one of them has opened. */
export function CallDecision({ call, card, on, approvals }: Props) {
  const [form, setForm] = useState<Form>();
  const outside = outsideQuestionOf(call);
  const choices = choiceQuestionOf(call);
  const asks = call.approval !== true && outside === undefined;
  const submit = (decision: CardDecision): void => {
    setForm(undefined);
    decide(on, decision);
  };
  const cancel = (): void => setForm(undefined);
  const name = visibleLines(call.name);
  switch (form) {
    case "reason":
      return (
        <InlineForm
          on={{ callRef: on.callRef, use: "reason" }}
          label={`Reason, shown to ${visibleLines(card.callers)}`}
          placeholder={`Reason, shown to ${visibleLines(card.callers)} (optional)`}
          submitLabel="Reject"
          optional
          onSubmit={(reason) => submit({ how: "reject", reason })}
          onCancel={cancel}
        />
      );
    case "answer":
      return (
        <InlineForm
          on={{ callRef: on.callRef, use: "answer" }}
          label={`Result of ${name}, in place of running it`}
          placeholder={`The result that ${visibleLines(call.name)} gives instead of running`}
          submitLabel="Answer"
          onSubmit={(output) => submit({ how: "answer", output })}
          onCancel={cancel}
        />
      );
    case "command":
      return (
        <InlineForm
          on={{ callRef: on.callRef, use: "command" }}
          label="Command to run instead"
          submitLabel="Run Edited Command"
          initial={card.body.kind === "command" ? card.body.command.line : ""}
          code
          onSubmit={(command) => submit({ how: "edit", command })}
          onCancel={cancel}
        />
      );
    case undefined:
      // It can still be rejected.
      if (approvals.own === "approved") {
        return (
          <div class="button-row">
            <RejectButton on={on} card={card} name={name} open={setForm} canAnswer={false} />
          </div>
        );
      }
      if (choices !== undefined) {
        return (
          <ChoiceForm question={choices} on={on}>
            <RejectButton on={on} card={card} name={name} open={setForm} canAnswer={false} />
          </ChoiceForm>
        );
      }
      return asks ? (
        <InlineForm
          on={{ callRef: on.callRef, use: "answer" }}
          label={`Your answer to ${name}`}
          placeholder="Your answer"
          submitLabel="Answer"
          onSubmit={(output) => submit({ how: "answer", output })}
        >
          <DecisionButton
            on={on}
            decision={{ how: "accept" }}
            class="button is-secondary"
            label={`Run ${name}`}
            mark="accept"
          >
            Run Tool
          </DecisionButton>
          <RejectButton on={on} card={card} name={name} open={setForm} canAnswer={false} />
        </InlineForm>
      ) : (
        <ApprovalButtons call={call} card={card} on={on} approvals={approvals} open={setForm} />
      );
  }
}

/** The buttons of a call that needs approval. */
function ApprovalButtons({ call, card, on, approvals, open }: Props & { readonly open: (form: Form) => void }) {
  const outside = outsideQuestionOf(call);
  const name = visibleLines(call.name);
  return (
    <div class="button-row">
      {card.otherApproved?.isWhole && (
        <DecisionButton on={on} decision={{ how: "join" }} class="button">
          {card.otherApproved.how === "restart" ? "Approve This Input" : "Approve This Answer"}
        </DecisionButton>
      )}
      <Accept call={call} card={card} on={on} approvals={approvals} />
      {outside !== undefined && (
        <DecisionButton on={on} decision={{ how: "answer", output: outside.output }} class="button is-secondary">
          Keep Result
        </DecisionButton>
      )}
      <RejectButton on={on} card={card} name={name} open={open} canAnswer={outside === undefined} />
      {(card.body.kind === "edit" || card.body.kind === "edits") && (
        <button type="button" class="button is-secondary" onClick={() => post({ type: "openDiff", ref: card.ref })}>
          {card.body.kind === "edits" ? "Open Diffs" : "Open Diff"}
        </button>
      )}
      {card.body.kind === "command" && outside === undefined && (
        <button type="button" class="button is-secondary" onClick={() => open("command")}>
          Edit Command…
        </button>
      )}
    </div>
  );
}

/** What accepting a call does, as its button says. */
const ACCEPT = {
  result: "Send Result",
  edit: "Accept",
  edits: "Accept",
  command: "Run Command",
  page: "Read Page",
  input: "Accept",
  long: "Accept",
} as const;

/** One click, and a menu of rules beside it. A call that would fail is not offered. */
function Accept({ call, card, on, approvals }: Props) {
  if (card.problem !== undefined) return null;
  if (card.body.kind === "long") {
    return (
      <button type="button" class="button" onClick={() => post({ type: "reviewCall", ref: card.ref })}>
        Review Input…
      </button>
    );
  }
  const isOutside = outsideQuestionOf(call) !== undefined;
  const isOther = card.otherApproved !== undefined;
  // It does not run yet.
  const isCounted = isOther || approvals.needsMore === true;
  const label = isCounted ? "Approve" : isOutside ? "Run Outside Sandbox" : ACCEPT[card.body.kind];
  const more = card.asksAgain ? "…" : "";
  return (
    <span class="split">
      <DecisionButton
        on={on}
        decision={{ how: isOutside ? "runOutside" : "accept" }}
        class={isOther ? "button is-secondary" : "button"}
        label={`${label}${more}: ${visibleLines(call.name)}`}
        mark="accept"
      >
        {`${label}${more}`}
      </DecisionButton>
      {card.rules.length > 0 && approvals.text === undefined && canChair.value && <RuleMenu on={on} card={card} />}
    </span>
  );
}
