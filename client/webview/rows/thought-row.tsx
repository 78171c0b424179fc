import { useLayoutEffect, useRef } from "preact/hooks";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import type { ThoughtItem } from "../../common/timeline/items.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { toggledSections } from "../state/page-state.ts";
import { plainFirstLine } from "../text/format.ts";
import { laneSectionKey } from "../timeline/lanes.ts";
import { Collapsible } from "../ui/collapsible.tsx";
import { Icon } from "../ui/icon.tsx";
import { InterruptReasoning } from "../ui/interrupt-reasoning.tsx";
import { SpeakerRow } from "./speaker-row.tsx";

interface Props {
  readonly item: ThoughtItem;
  readonly head: boolean;
  readonly path: readonly string[];
  readonly lane: boolean;
}

/** A part of a model's reasoning: its end while the model thinks it, then collapsed to its first line. */
export function ThoughtRow({ item, head, path, lane }: Props) {
  const section = laneSectionKey(item.key);
  const shows = !lane || toggledSections.value.has(section);
  return (
    <SpeakerRow item={item} head={head} path={path} lane={lane ? { doing: "thinking", section } : undefined}>
      <div class="thought">
        {item.live !== "streaming" && <Thought item={item} />}
        {item.live === "streaming" && !lane && <ThoughtHead item={item} path={path} />}
        {item.live === "streaming" && shows && <LiveThought item={item} />}
      </div>
    </SpeakerRow>
  );
}

function Thought({ item }: Pick<Props, "item">) {
  const label = (
    <>
      <Icon name="lightbulb" />
      <span class="thought-label">Thought</span>
      <span class="tool-input">{plainFirstLine(item.text)}</span>
    </>
  );
  return (
    <Collapsible id={item.key} label={label}>
      <Markdown text={item.text} growing={false} />
    </Collapsible>
  );
}

function ThoughtHead({ item, path }: Pick<Props, "item" | "path">) {
  return (
    <div class="thought-head">
      <Icon name="lightbulb" />
      <span class="thought-label">Thinking</span>
      <InterruptReasoning participant={item.source} path={path} />
    </div>
  );
}

/** How many characters of a thought in progress are shown; its box shows some lines of them. */
const SHOWN = 4_000;

/** A thought in progress, in a box that follows its end unless the user has scrolled up. */
function LiveThought({ item }: Pick<Props, "item">) {
  const box = useRef<HTMLElement>(null);
  const follows = useRef(true);
  useLayoutEffect(() => {
    if (follows.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [item.text]);
  const onScroll = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: { currentTarget: HTMLElement }) => {
    follows.current = scrollTop + clientHeight >= scrollHeight - 4;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section class="thought-live" aria-label="Thought so far" tabIndex={0} ref={box} onScroll={onScroll}>
      {visibleLines(item.text.slice(-SHOWN))}
    </section>
  );
}
