import { visibleLines } from "../../../shared/text/visible-text.ts";
import { fileCandidates } from "../../common/files/file-reference.ts";
import { post } from "../state/editor-bridge.ts";
import { FileLink } from "./file-link.tsx";
import { Icon } from "./icon.tsx";

/** How many characters of a text are rendered; the copy button copies all of it. */
const MAX_CHARACTERS = 20_000;

/** How many paths in a text can be links. */
const MOST_FILES = 100;

interface Props {
  readonly text: string;
  readonly label: string;
  /** Shows the end of a text that is too long: the output of a running tool. */
  readonly end?: boolean;
}

/** Preformatted text, such as a tool's input or output. Invisible characters are written out; files are links. */
export function TextBlock({ text, label, end = false }: Props) {
  const isLong = text.length > MAX_CHARACTERS;
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <pre tabIndex={0}>{end ? visibleLines(shown) : <TextWithFiles text={visibleLines(shown)} />}</pre>
      {isLong && (
        <p class="truncation-note">{`${(text.length - MAX_CHARACTERS).toLocaleString()} more characters. Copy to see all.`}</p>
      )}
    </div>
  );
}

/** A text in which the files of the workspace that it names are links. */
function TextWithFiles({ text }: { readonly text: string }) {
  const candidates = fileCandidates(text).slice(0, MOST_FILES);
  const parts = candidates.flatMap(({ start, end }, index) => [
    text.slice(candidates[index - 1]?.end ?? 0, start),
    <FileLink key={start} text={text.slice(start, end)} />,
  ]);
  return (
    <>
      {parts}
      {text.slice(candidates.at(-1)?.end ?? 0)}
    </>
  );
}
