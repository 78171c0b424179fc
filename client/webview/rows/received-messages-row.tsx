import { firstLine } from "../../../shared/contract/message-text.ts";
import type { MessageItem } from "../../common/timeline/items.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { rosterAt } from "../state/roster.ts";
import { countText } from "../text/format.ts";
import { displayName } from "../text/participants.ts";
import { Collapsible } from "../ui/collapsible.tsx";
import { Icon } from "../ui/icon.tsx";

interface Props {
  readonly id: string;
  readonly given: readonly MessageItem[];
  readonly path: readonly string[];
}

/** How many of the messages are put into the page; they stand in the talk around the team, each of them. */
const MAX_MESSAGES = 20;

/** What a nested team was given to work on, folded: it is to be read around it already. */
export function ReceivedMessagesRow({ id, given, path }: Props) {
  const members = rosterAt(path);
  const latest = given.at(-1);
  if (latest === undefined) return null;
  const by = displayName(latest.source, members);
  const label = (
    <>
      <Icon name="arrow-right" />
      <span class="thought-label">
        {given.length === 1 ? `Given by ${by === "You" ? "you" : by}` : `Given ${countText(given.length, "message")}`}
      </span>
      <span class="tool-input">{firstLine(latest.text).replace(/[*_`#]/g, "")}</span>
    </>
  );
  return (
    <div class="received-messages thought">
      <Collapsible id={`${id}-given`} label={label}>
        {given.length > MAX_MESSAGES && <p>{`The last ${MAX_MESSAGES} of them:`}</p>}
        {given.slice(-MAX_MESSAGES).map(({ key, source, text }) => (
          <div key={key}>
            {given.length > 1 && <span class="speaker-name">{displayName(source, members)}</span>}
            <Markdown text={text} growing={false} />
          </div>
        ))}
      </Collapsible>
    </div>
  );
}
