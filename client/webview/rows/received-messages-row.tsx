import { countText } from "../../../shared/text/count-text.ts";
import { displayName } from "../../common/participants/participants.ts";
import type { MessageItem } from "../../common/timeline/items.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { rosterAt } from "../state/roster.ts";
import { plainFirstLine } from "../text/format.ts";
import { Collapsible } from "../ui/collapsible.tsx";
import { Icon } from "../ui/icon.tsx";

interface Props {
  readonly id: string;
  readonly messages: readonly MessageItem[];
  readonly path: readonly string[];
}

/** How many of the messages are rendered; all of them are in the thread of the outer team. */
const MAX_MESSAGES = 20;

/** The messages that a nested team received, collapsed: the outer team shows them already. */
export function ReceivedMessagesRow({ id, messages, path }: Props) {
  const members = rosterAt(path);
  const latest = messages.at(-1);
  if (latest === undefined) return null;
  const by = displayName(latest.source, members);
  const label = (
    <>
      <Icon name="arrow-right" />
      <span class="thought-label">
        {messages.length === 1
          ? `From ${by === "You" ? "you" : by}`
          : `Received ${countText(messages.length, "message")}`}
      </span>
      <span class="tool-input">{plainFirstLine(latest.text)}</span>
    </>
  );
  return (
    <div class="received-messages thought">
      <Collapsible id={`${id}-received`} label={label}>
        {messages.length > MAX_MESSAGES && <p>{`The last ${MAX_MESSAGES} messages:`}</p>}
        {messages.slice(-MAX_MESSAGES).map(({ key, source, text }) => (
          <div key={key}>
            {messages.length > 1 && <span class="speaker-name">{displayName(source, members)}</span>}
            <Markdown text={text} growing={false} />
          </div>
        ))}
      </Collapsible>
    </div>
  );
}
