import { firstLine } from "../../shared/message-text.ts";
import type { ThoughtItem } from "../../shared/timeline-items.ts";
import { Fold } from "./fold.tsx";
import { Icon } from "./icon.tsx";
import { Markdown } from "./markdown.tsx";
import { SpeakerRow } from "./speaker-row.tsx";

/** What a participant's model told of its reasoning, folded to its first line. */
export function ThoughtRow({ item, head }: { readonly item: ThoughtItem; readonly head: boolean }) {
  const label = (
    <>
      <Icon name="lightbulb" />
      <span class="thought-label">Thought</span>
      <span class="tool-input">{firstLine(item.text).replace(/[*_`#]/g, "")}</span>
    </>
  );
  return (
    <SpeakerRow source={item.source} at={item.at} head={head}>
      <div class="thought">
        <Fold id={item.key} label={label}>
          <Markdown text={item.text} growing={false} />
        </Fold>
      </div>
    </SpeakerRow>
  );
}
