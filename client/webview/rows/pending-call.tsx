import { useEffect, useState } from "preact/hooks";
import { isRecord, ownValue } from "../../../shared/json-record.ts";
import { type OutsideQuestion, outsideQuestionOf } from "../../common/outside-question.ts";
import type { CallView } from "../../common/timeline/items.ts";
import { visibleLines } from "../../common/visible-text.ts";
import { post } from "../state/editor-bridge.ts";
import { toolPreviews, trusted } from "../state/page-state.ts";
import { fullText, splitCommand } from "../text/tool-text.ts";
import { Icon } from "../ui/icon.tsx";
import { TextBlock } from "../ui/text-block.tsx";

interface Props {
  readonly call: CallView;
  /** The participant that made it, with the path to a nested team. */
  readonly participant: string;
}

/** A call that waits for the user: exactly what would run, and the buttons to decide. */
export function PendingCall({ call, participant }: Props) {
  const outside = outsideQuestionOf(call);
  const asks = call.approval !== true && outside === undefined;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields; this is a group of text and buttons
    <div class="card is-warning pending" role="group" aria-label={`Waiting for you: ${call.name} of ${participant}`}>
      <div class="card-title">
        <Icon name={asks ? "question" : "shield"} />
        <span>
          <strong class="speaker-name">{participant}</strong> {asks ? "asks you, using" : "wants to run"}{" "}
          <code class="tool-name">{call.name}</code>
          {outside !== undefined && " outside the sandbox"}
        </span>
      </div>
      {outside === undefined ? (
        <Question interrupt={call.reason ?? call.interrupt} />
      ) : (
        <p class="pending-question">{visibleLines(`It failed in the sandbox: ${outside.reason}.`)}</p>
      )}
      <ExactInput input={call.input} />
      {call.approval === true && <Preview call={call} />}
      {trusted.value && <Decision call={call} outside={outside} />}
    </div>
  );
}

function Decision({ call, outside }: { readonly call: CallView; readonly outside: OutsideQuestion | undefined }) {
  if (outside !== undefined) return <OutsideDecision call={call} output={outside.output} />;
  return call.approval === true ? <Approval call={call} /> : <Answer call={call} />;
}

/** Where a command would run. */
function Preview({ call: { ref, name } }: { readonly call: CallView }) {
  useEffect(() => {
    if (name === "runCommand") post({ type: "previewTool", ref });
  }, [ref]);
  const text = ownValue(toolPreviews.value, ref);
  return text === undefined ? null : <p class="tool-note">{visibleLines(text)}</p>;
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

function ExactInput({ input }: { readonly input: unknown }) {
  const line = splitCommand(input);
  if (line === null) return <TextBlock text={fullText(input)} label="Input" />;
  return (
    <>
      <TextBlock text={line.command} label="Command" />
      {line.rest !== "" && <TextBlock text={line.rest} label="Other input" />}
    </>
  );
}

function Approval({ call: { ref, name } }: { readonly call: CallView }) {
  return (
    <div class="button-row">
      <button
        type="button"
        class="button"
        aria-label={`Approve ${name}…`}
        onClick={() => post({ type: "approve", ref })}
      >
        Approve…
      </button>
      <DenyButton callRef={ref} name={name} />
    </div>
  );
}

/** The extension asks again, in a modal dialog, before the command runs outside the sandbox. */
function OutsideDecision({ call: { ref, name }, output }: { readonly call: CallView; readonly output: string }) {
  return (
    <div class="button-row">
      <button type="button" class="button" onClick={() => post({ type: "approve", ref })}>
        Run Outside Sandbox…
      </button>
      <button type="button" class="button is-secondary" onClick={() => post({ type: "respond", ref, output })}>
        Keep Result
      </button>
      <DenyButton callRef={ref} name={name} />
    </div>
  );
}

/** The answer becomes the call's result. The call can also run, for example when a crash lost its result. */
function Answer({ call: { ref, name } }: { readonly call: CallView }) {
  const [text, setText] = useState("");
  const answer = (): void => {
    if (text.trim() !== "") post({ type: "respond", ref, output: text });
  };
  return (
    <div class="answer-form">
      <textarea
        class="answer"
        rows={2}
        aria-label={`Your answer to ${name}`}
        placeholder="Your answer"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          answer();
        }}
      />
      <div class="button-row">
        <button type="button" class="button" disabled={text.trim() === ""} onClick={answer}>
          Answer
        </button>
        <button
          type="button"
          class="button is-secondary"
          aria-label={`Run ${name}…`}
          onClick={() => post({ type: "approve", ref })}
        >
          Run…
        </button>
        <DenyButton callRef={ref} name={name} />
      </div>
    </div>
  );
}

function DenyButton({ callRef, name }: { readonly callRef: string; readonly name: string }) {
  return (
    <button
      type="button"
      class="button is-secondary"
      aria-label={`Deny ${name}`}
      onClick={() => post({ type: "deny", ref: callRef })}
    >
      Deny
    </button>
  );
}
