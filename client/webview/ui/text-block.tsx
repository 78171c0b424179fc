import { visibleLines } from "../../common/visible-text.ts";
import { post } from "../state/editor-bridge.ts";
import { Icon } from "./icon.tsx";

/** How much of a text is put into the page; the copy button copies all of it. */
const MAX_CHARACTERS = 20_000;

interface Props {
  readonly text: string;
  readonly label: string;
  /** Shows its end when it is too long, as a running tool's output is read. */
  readonly end?: boolean;
}

/** Text as it is: a tool's input or output. Characters that hide are written out. */
export function TextBlock({ text, label, end = false }: Props) {
  const cut = text.length > MAX_CHARACTERS;
  const shown = end ? text.slice(-MAX_CHARACTERS) : text.slice(0, MAX_CHARACTERS);
  return (
    <div class="text-block">
      <div class="code-head">
        <span class="code-language">{label}</span>
        <button
          type="button"
          class="icon-button"
          title="Copy"
          aria-label={`Copy ${label.toLowerCase()}`}
          onClick={() => post({ type: "copy", text })}
        >
          <Icon name="copy" />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>{visibleLines(shown)}</pre>
      {cut && (
        <p class="truncation-note">{`${(text.length - MAX_CHARACTERS).toLocaleString()} more characters: copy to see them all.`}</p>
      )}
    </div>
  );
}
