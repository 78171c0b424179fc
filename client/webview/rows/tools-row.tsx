import { participantPath } from "../../common/nested-teams.ts";
import type { CallState, CallView, ToolsItem } from "../../common/timeline/items.ts";
import { post } from "../state/editor-bridge.ts";
import { trusted } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { isUser } from "../text/participants.ts";
import { fullText, shortInput } from "../text/tool-text.ts";
import { Collapsible } from "../ui/collapsible.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { TextBlock } from "../ui/text-block.tsx";
import { OpenCallFile } from "./open-call-file.tsx";
import { PendingCall } from "./pending-call.tsx";
import { SpeakerRow } from "./speaker-row.tsx";

interface Props {
  readonly item: ToolsItem;
  readonly head: boolean;
  readonly path: readonly string[];
}

/** The calls of one request: a collapsed line each; a call that waits for the user is a card. */
export function ToolsRow({ item, head, path }: Props) {
  const waiting = item.calls.filter(({ state }) => state === "waiting");
  const others = item.calls.filter(({ state }) => state !== "waiting");
  return (
    <SpeakerRow source={item.source} at={item.at} head={head} path={path}>
      {others.length > 0 && (
        <div class="tool-group">
          {others.map((call) => (
            <ToolCall key={call.ref} call={call} />
          ))}
        </div>
      )}
      {waiting.map((call) => (
        <PendingCall key={call.ref} call={call} participant={participantPath(path, item.source)} />
      ))}
    </SpeakerRow>
  );
}

function ToolCall({ call }: { readonly call: CallView }) {
  return (
    <div class="tool-call">
      <Collapsible id={call.ref} label={<ToolLine call={call} />}>
        {call.input !== undefined && <TextBlock text={fullText(call.input)} label="Input" />}
        <DecisionLine call={call} />
        {call.approved !== undefined && (
          <p class="tool-note approved">
            <Icon name="shield" /> {`Ran without asking: ${call.approved}`}
          </p>
        )}
        <ToolOutput call={call} />
      </Collapsible>
      <div class="call-actions">
        <OpenCallFile input={call.input} />
        {call.state === "running" && trusted.value && (
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
  const mark = marks[call.state];
  return (
    <>
      <span class={`tool-mark is-${call.state}`}>
        <Icon name={mark.icon} spin={call.state === "running"} />
      </span>
      <span class="tool-name">{call.name}</span>
      <span class="tool-input">{shortInput(call.input)}</span>
      <span class={mark.quiet ? "sr-only" : `tool-state is-${call.state}`}>{mark.word}</span>
    </>
  );
}

/** The word of a `quiet` mark is for screen readers only: its icon says the same. */
const marks: Readonly<Record<CallState, { readonly icon: IconName; readonly word: string; readonly quiet?: true }>> = {
  requested: { icon: "watch", word: "requested", quiet: true },
  running: { icon: "loading", word: "running", quiet: true },
  waiting: { icon: "shield", word: "waiting for you" },
  succeeded: { icon: "check", word: "done", quiet: true },
  failed: { icon: "error", word: "failed" },
  denied: { icon: "circle-slash", word: "denied" },
  interrupted: { icon: "debug-pause", word: "interrupted" },
  abandoned: { icon: "warning", word: "did not stop" },
};

function DecisionLine({ call: { decision } }: { readonly call: CallView }) {
  if (decision === undefined) return null;
  const did = { respond: "provided the result", restart: "approved it", deny: "denied it" }[decision.how];
  const who = isUser(decision.by, roster.value) ? "You" : decision.by;
  return (
    <p class="tool-note">
      {`${who} ${did}${decision.edited ? ", with edited input" : ""}${decision.reason === undefined ? "" : `: ${decision.reason}`}`}
    </p>
  );
}

function ToolOutput({ call }: { readonly call: CallView }) {
  if (call.output !== undefined) {
    return <TextBlock text={fullText(call.output)} label={call.state === "failed" ? "Error" : "Output"} />;
  }
  if (call.live !== undefined) return <TextBlock text={call.live} label="Output so far" end />;
  return call.state === "running" ? <p class="tool-note">No output yet.</p> : null;
}
