import type { ThoughtItem } from "../../common/timeline/items.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { plainFirstLine } from "../text/format.ts";
import { Collapsible } from "../ui/collapsible.tsx";
import { Icon } from "../ui/icon.tsx";
import { SpeakerRow } from "./speaker-row.tsx";

interface Props {
  readonly item: ThoughtItem;
  readonly head: boolean;
  readonly path: readonly string[];
}

/** A part of a model's reasoning, collapsed to its first line. */
export function ThoughtRow({ item, head, path }: Props) {
  const label = (
    <>
      <Icon name="lightbulb" />
      <span class="thought-label">Thought</span>
      <span class="tool-input">{plainFirstLine(item.text)}</span>
    </>
  );
  return (
    <SpeakerRow source={item.source} at={item.at} head={head} path={path}>
      <div class="thought">
        <Collapsible id={item.key} label={label}>
          <Markdown text={item.text} growing={false} />
        </Collapsible>
      </div>
    </SpeakerRow>
  );
}
