import type { MessageItem } from "../../shared/timeline-items.ts";
import { Avatar } from "./avatar.tsx";
import { Fold } from "./fold.tsx";
import { Icon } from "./icon.tsx";
import { Markdown } from "./markdown.tsx";
import { isUser, nameOf } from "./people.ts";
import { roster } from "./roster.ts";
import { SpeakerRow } from "./speaker-row.tsx";
import { TextBlock } from "./text-block.tsx";
import { timeOf } from "./words.ts";

interface Props {
  readonly item: MessageItem;
  readonly head: boolean;
}

export function MessageRow({ item, head }: Props) {
  if (isUser(item.source, roster.value)) return <UserMessage item={item} />;
  return (
    <SpeakerRow source={item.source} at={item.at} head={head}>
      <div class={`message is-${item.state}`}>
        <MessageText item={item} />
        {item.state === "partial" && (
          <p class="partial-mark">
            <Icon name="debug-pause" /> Cut off here. What was said is kept.
          </p>
        )}
      </div>
    </SpeakerRow>
  );
}

function MessageText({ item }: { readonly item: MessageItem }) {
  const { type, text, state, key } = item;
  if (state === "streaming" && text === "") return <span class="dots" aria-hidden="true" />;
  if (type === "StructuredMessage") return <Markdown text={`\`\`\`json\n${pretty(text)}\n\`\`\``} growing={false} />;
  if (type === "ToolCallSummaryMessage") {
    // It repeats the results that stand just above it.
    return (
      <Fold id={key} label="Answered with the results of its tools">
        <TextBlock text={text} label="Results" />
      </Fold>
    );
  }
  return <Markdown text={text} growing={state === "streaming"} />;
}

/** The user's words stand as they were typed, on the user's own side. */
function UserMessage({ item }: { readonly item: MessageItem }) {
  return (
    <div class="user-message">
      <div class="user-line">
        <span class="speaker-name">{nameOf(item.source, roster.value)}</span>
        {item.to !== undefined && (
          <span class="directed">
            <Icon name="arrow-right" />
            <span class="sr-only"> to </span>
            <Avatar name={item.to} /> {item.to}
          </span>
        )}
        <time class="time" dateTime={item.at}>
          {timeOf(item.at)}
        </time>
      </div>
      <div class="user-text">{item.text}</div>
    </div>
  );
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
