import { computed } from "@preact/signals";
import { usageText } from "../../../shared/text/usage-text.ts";
import { displayName, findMember, isUser } from "../../common/participants/participants.ts";
import { messageIdOf } from "../../common/timeline/fold-message.ts";
import type { MessageItem } from "../../common/timeline/items.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { post } from "../state/editor-bridge.ts";
import { canChair } from "../state/own-role.ts";
import { team } from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { timeText } from "../text/format.ts";
import { laneSectionKey } from "../timeline/lanes.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Collapsible } from "../ui/collapsible.tsx";
import { Icon } from "../ui/icon.tsx";
import { TextBlock } from "../ui/text-block.tsx";
import { ValueTree } from "../ui/value-tree.tsx";
import { MessageParts } from "./message-parts.tsx";
import { PartialActions } from "./partial-actions.tsx";
import { SpeakerRow } from "./speaker-row.tsx";

interface Props {
  readonly item: MessageItem;
  readonly head: boolean;
  readonly path: readonly string[];
  readonly lane: boolean;
}

export function MessageRow({ item, head, path, lane }: Props) {
  const members = rosterAt(path);
  if (isUser(item.source, members)) return <UserMessage item={item} path={path} />;
  return (
    <SpeakerRow
      item={item}
      head={head}
      path={path}
      lane={lane ? { doing: "writing", section: laneSectionKey(item.key) } : undefined}
    >
      <div class={`message is-${item.state}`}>
        <MessageText item={item} />
        {item.state === "partial" && (
          <div class="partial-mark">
            <span class="partial-text">
              <Icon name="debug-pause" /> Interrupted here.{" "}
              {item.edited ? "You edited the text." : "The text so far is kept."}
            </span>
            {path.length === 0 && <PartialActions item={item} />}
          </div>
        )}
        <MessageUsage item={item} />
      </div>
    </SpeakerRow>
  );
}

/** The tokens and cost of a message, shown while its row is hovered or focused. */
function MessageUsage({ item: { usage } }: { readonly item: MessageItem }) {
  if (usage === undefined || usage.total === 0) return null;
  const split = `${usage.prompt.toLocaleString()} input tokens, ${usage.completion.toLocaleString()} output tokens`;
  return (
    <span class="message-usage" title={split}>
      {usageText(usage)}
    </span>
  );
}

function MessageText({ item }: { readonly item: MessageItem }) {
  const { type, text, state, key, parts, data } = item;
  if (state === "streaming" && text === "") return <span class="dots" aria-hidden="true" />;
  if (data !== undefined) return <ValueTree value={data} label="Structured answer" />;
  if (parts !== undefined) return <MessageParts parts={parts} source={item.source} />;
  if (type === "ToolCallSummaryMessage") {
    // It repeats the results of the calls above it.
    return (
      <Collapsible id={key} label="Answered with its tool results">
        <TextBlock text={text} label="Results" />
      </Collapsible>
    );
  }
  // A structured answer is JSON while it streams.
  const json = state === "streaming" && text.startsWith("{");
  return <Markdown text={json ? `\`\`\`json\n${text}` : text} growing={state === "streaming"} />;
}

const isRunning = computed(() => team.value?.status === "running" || team.value?.status === "interrupting");

/** Takes files and thread back to before the message; shown while its row is hovered or focused. */
function RestoreButton({ item: { key, withinRun } }: { readonly item: MessageItem }) {
  if (withinRun || isRunning.value || !canChair.value) return null;
  const label = "Restore to Before This Message…";
  return (
    <button
      type="button"
      class="icon-button restore-button"
      title={label}
      aria-label={label}
      onClick={() => post({ type: "restoreCheckpoint", messageId: messageIdOf(key) })}
    >
      <Icon name="discard" />
    </button>
  );
}

/** The user's message, as plain text on the right. */
function UserMessage({ item, path }: Pick<Props, "item" | "path">) {
  const members = rosterAt(path);
  return (
    <div class="user-message">
      <div class="user-line">
        {path.length === 0 && <RestoreButton item={item} />}
        <span class="speaker-name">{displayName(item.source, members)}</span>
        {findMember(item.source, members) !== undefined && <span class="speaker-role">you</span>}
        {item.to !== undefined && (
          <span class="addressee">
            <Icon name="arrow-right" />
            <span class="sr-only"> to </span>
            <Avatar name={item.to} members={members} /> {item.to}
          </span>
        )}
        <time class="time" dateTime={item.at}>
          {timeText(item.at)}
        </time>
      </div>
      {item.onlyTarget && (
        <span
          class="only-target-note"
          title="Hidden from all other participants. A model that selects the speakers still sees it."
        >
          <Icon name="lock" /> Visible only to {item.to}
        </span>
      )}
      <div class={item.onlyTarget ? "user-text is-private" : "user-text"}>
        {item.parts === undefined ? item.text : <MessageParts parts={item.parts} source={item.source} plain />}
      </div>
    </div>
  );
}
