import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { questionTitle } from "../../../shared/text/user-question.ts";
import { Icon } from "../ui/icon.tsx";
import { answer, answerError, answerRequests, canAnswer, question, sendAnswer, setAnswer } from "./question-state.ts";

/** The question that waits for the user, at the end of the thread, with its own answer box. */
export function QuestionCard() {
  const box = useRef<HTMLTextAreaElement>(null);
  const asked = question.value;
  const key = asked?.key;
  useEffect(() => {
    box.current?.closest(".question")?.scrollIntoView({ block: "nearest" });
  }, [key]);
  // Before the next key comes.
  useLayoutEffect(() => {
    if (answerRequests.value > 0) box.current?.focus();
  }, [answerRequests.value]);
  if (asked === null) return null;

  const onKeyDown = (event: KeyboardEvent): void => {
    // The keys of the list of messages do not apply to text.
    event.stopPropagation();
    if (event.isComposing || event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    sendAnswer();
  };
  const off = answer.value.trim() === "" || !canAnswer.value;
  return (
    <section class="card is-question question" aria-label={questionTitle(asked)}>
      <div class="card-title">
        <Icon name="question" />
        <strong>{questionTitle(asked)}</strong>
      </div>
      {asked.text !== "" && (
        <div class="question-text" title={asked.text}>
          {asked.text}
        </div>
      )}
      <textarea
        ref={box}
        class="answer question-answer"
        rows={2}
        aria-label={asked.as === null ? "Your answer" : `Your answer as ${asked.as}`}
        aria-describedby="question-hint"
        placeholder="Type your answer"
        value={answer.value}
        onInput={(event) => setAnswer(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="question-footer">
        <span
          id="question-hint"
          class={answerError.value === "" ? "question-hint" : "question-hint is-error"}
          role="status"
        >
          {answerError.value !== ""
            ? answerError.value
            : canAnswer.value
              ? "Enter to send"
              : "Someone is answering first"}
        </span>
        <span class="question-buttons">
          {asked.handoffs.map(({ target, description }) => (
            <button
              key={target}
              type="button"
              class="button is-secondary"
              title={description ?? `Send your answer; ${target} speaks next`}
              disabled={off}
              onClick={() => sendAnswer(target)}
            >
              Answer <Icon name="arrow-right" /> {target}
            </button>
          ))}
          <button type="button" class="button" disabled={off} onClick={() => sendAnswer()}>
            Answer
          </button>
        </span>
      </div>
    </section>
  );
}
