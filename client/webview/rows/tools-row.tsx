import { ASK_USER } from "../../../shared/ask-user.ts";
import { isRecord } from "../../../shared/json-record.ts";
import { PLAN_TOOL, planInputText } from "../../../shared/plan-tool.ts";
import { participantPath } from "../../../shared/text/nested-teams.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import { outputParts } from "../../../shared/tool-output.ts";
import { decisionText } from "../../common/decision-text.ts";
import { nameInSentence, otherUser } from "../../common/participants/participants.ts";
import type { CallView, ToolsItem } from "../../common/timeline/items.ts";
import { PendingCalls } from "../calls/pending-calls.tsx";
import { post } from "../state/editor-bridge.ts";
import { canAct } from "../state/own-role.ts";
import { undoneCalls } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { fullText, shortInput } from "../text/tool-text.ts";
import { Collapsible } from "../ui/collapsible.tsx";
import { Icon } from "../ui/icon.tsx";
import { TextBlock } from "../ui/text-block.tsx";
import { callOutcome } from "./call-outcome.ts";
import { MessageParts } from "./message-parts.tsx";
import { OpenCallFile } from "./open-call-file.tsx";
import { SpeakerRow } from "./speaker-row.tsx";

interface Props {
  readonly item: ToolsItem;
  readonly head: boolean;
  readonly path: readonly string[];
  readonly lane: boolean;
}

/** The calls of one request: a collapsed line each; a call that waits for the user is a card. */
export function ToolsRow({ item, head, path, lane }: Props) {
  const waiting = item.calls.filter(({ state }) => state === "waiting");
  const others = item.calls.filter(({ state }) => state !== "waiting");
  return (
    <SpeakerRow item={item} head={head} path={path} lane={lane ? { doing: "using tools" } : undefined}>
      {others.length > 0 && (
        <div class="tool-group">
          {others.map((call) => (
            <ToolCall key={call.ref} call={call} />
          ))}
        </div>
      )}
      {waiting.length > 0 && <PendingCalls calls={waiting} participant={participantPath(path, item.source)} />}
    </SpeakerRow>
  );
}

function ToolCall({ call }: { readonly call: CallView }) {
  return (
    <div class="tool-call">
      <Collapsible id={call.ref} label={<ToolLine call={call} />}>
        {call.input !== undefined && <TextBlock text={fullText(call.input)} label="Input" />}
        <DecisionLine call={call} />
        <ToolOutput call={call} />
      </Collapsible>
      <div class="call-actions">
        <OpenCallFile input={call.input} />
        {call.state === "running" && canAct.value && (
          <button
            type="button"
            class="stop-call"
            title="Stop this call. The turn continues, and the model sees that the call was stopped."
            aria-label={`Stop ${call.name}`}
            onClick={() => post({ type: "interrupt", scope: { ref: call.ref } })}
          >
            Stop
          </button>
        )}
      </div>
    </div>
  );
}

function ToolLine({ call }: { readonly call: CallView }) {
  const { icon, tone, word, quiet } = callOutcome(call, { who: nameOf, isOther }, undoneCalls.value.has(call.ref));
  const shown = visibleLines(word);
  return (
    <>
      <span class={`tool-mark is-${tone}`}>
        <Icon name={icon} spin={call.state === "running"} />
      </span>
      <span class="tool-name" title={visibleLines(call.name)}>
        {visibleLines(call.name)}
      </span>
      <span class="tool-input">{shortInput(shownInput(call))}</span>
      <span class={quiet ? "sr-only" : `tool-state is-${tone}`} title={quiet ? undefined : shown}>
        {shown}
      </span>
    </>
  );
}

/** Of a question to the user its text alone, of a plan how far it is. */
function shownInput({ name, input }: CallView): unknown {
  if (name === PLAN_TOOL) return planInputText(input);
  return name === ASK_USER && isRecord(input) ? input["question"] : input;
}

/** The user, or another user of the team, in a sentence. */
const nameOf = (by: string): string => nameInSentence(by, roster.value);

const isOther = (by: string): boolean => otherUser(by, roster.value) !== undefined;

/** Who let the call run, with the rule where it was one. */
function DecisionLine({ call }: { readonly call: CallView }) {
  const text = decisionText(call, nameOf);
  if (text === undefined) return null;
  return (
    <p class="tool-note decided">
      <Icon name="shield" /> <span>{visibleLines(text)}</span>
    </p>
  );
}

/** What the model has been given and, where that is not what the tool gave, that too. */
function ToolOutput({ call }: { readonly call: CallView }) {
  if (call.original === undefined) return <ShownOutput call={call} />;
  return (
    <>
      <ShownOutput call={call} />
      <TextBlock text={fullText(call.original)} label="Original result, not shown to the model" />
    </>
  );
}

function ShownOutput({ call }: { readonly call: CallView }) {
  const parts = outputParts(call.output);
  if (parts !== undefined) return <MessageParts parts={parts} source={call.name} plain />;
  if (call.output !== undefined) {
    return <TextBlock text={fullText(call.output)} label={call.state === "failed" ? "Error" : "Output"} />;
  }
  if (call.live !== undefined) return <TextBlock text={call.live} label="Output so far" end />;
  return call.state === "running" ? <p class="tool-note">No output yet.</p> : null;
}
