import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { answerText, type ChoiceQuestion, type UserChoice } from "../../../shared/ask-user.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import { type Decided, DecisionButton, decide } from "./decision-button.tsx";
import { InlineForm } from "./inline-form.tsx";

interface Props {
  readonly question: ChoiceQuestion;
  readonly on: Decided;
  /** What can be chosen instead of an answer. */
  readonly children: ComponentChildren;
}

/** The answers to a participant's question: its choices, and the user's own words. */
export function ChoiceForm({ question: { choices, several }, on, children }: Props) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const toggle = (label: string): void =>
    setChosen(chosen.includes(label) ? chosen.filter((other) => other !== label) : [...chosen, label]);
  /** In the order of the choices. */
  const labels = choices.map(({ label }) => label).filter((label) => chosen.includes(label));
  return (
    <>
      {choices.length > 0 && (
        <fieldset class="choices" aria-label={several ? "Choices, several can be chosen" : "Choices"}>
          {choices.map((choice) =>
            several ? (
              <label key={choice.label} class="choice">
                <input type="checkbox" checked={chosen.includes(choice.label)} onChange={() => toggle(choice.label)} />
                <ChoiceText choice={choice} />
              </label>
            ) : (
              <DecisionButton
                key={choice.label}
                on={on}
                decision={{ how: "answer", output: choice.label }}
                class="choice"
              >
                <ChoiceText choice={choice} />
              </DecisionButton>
            ),
          )}
        </fieldset>
      )}
      <InlineForm
        on={{ callRef: on.callRef, use: "answer" }}
        label="Your answer"
        placeholder={choices.length === 0 ? "Your answer" : several ? "Anything to add" : "Another answer"}
        submitLabel="Answer"
        optional={labels.length > 0}
        onSubmit={(text) => decide(on, { how: "answer", output: answerText(labels, text) })}
      >
        {children}
      </InlineForm>
    </>
  );
}

function ChoiceText({ choice: { label, description } }: { readonly choice: UserChoice }) {
  return (
    <span class="choice-text">
      {visibleLines(label)}
      {description !== undefined && <span class="choice-description">{visibleLines(description)}</span>}
    </span>
  );
}
