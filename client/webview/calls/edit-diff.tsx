import { visibleLines } from "../../../shared/text/visible-text.ts";
import type { DiffHunk, DiffLine, ShownEdit } from "../../common/call-card.ts";
import { post } from "../state/editor-bridge.ts";
import { toggledSections, toggleSection } from "../state/page-state.ts";

/** A diff with more lines than this is collapsed to as many. */
const COLLAPSED_LINES = 14;
/** How many characters of a line are shown. */
const MAX_LINE = 2000;

interface Props {
  /** The key under which the page remembers whether it is expanded. */
  readonly id: string;
  readonly edit: ShownEdit;
}

/** What a call would do to a file, as a diff by lines. */
export function EditDiff({ id, edit }: Props) {
  const { hunks, omitted } = edit;
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  const isExpanded = toggledSections.value.has(id);
  // One line more takes no more room than the button.
  const isCollapsed = !isExpanded && total > COLLAPSED_LINES + 1;
  const shown = isCollapsed ? firstLines(hunks, COLLAPSED_LINES) : hunks;
  return (
    <div class="edit-diff text-block">
      <EditHead edit={edit} />
      {total === 0 && omitted === 0 ? (
        <p class="truncation-note">{edit.isNew ? "An empty file." : "The text stays the same."}</p>
      ) : (
        <div class="diff-lines" data-section={id}>
          {shown.map((hunk, index) => (
            <Hunk key={index} hunk={hunk} first={index === 0} />
          ))}
        </div>
      )}
      {isCollapsed && (
        <button type="button" class="diff-more" aria-expanded={false} onClick={() => toggleSection(id)}>
          {`Show ${(total - COLLAPSED_LINES).toLocaleString()} More Lines`}
        </button>
      )}
      {!isCollapsed && omitted > 0 && (
        <p class="truncation-note">{`${omitted.toLocaleString()} more lines. Open the diff to see all.`}</p>
      )}
    </div>
  );
}

function EditHead({ edit }: { readonly edit: ShownEdit }) {
  const { path, isNew, isDeleted, movedFrom, added, removed } = edit;
  const name = visibleLines(path);
  const existing = movedFrom ?? (isNew ? undefined : path);
  return (
    <div class="code-head diff-head">
      <span class="diff-names">
        {existing !== undefined && (
          <button
            type="button"
            class="link-button diff-path"
            title={`Open ${visibleLines(existing)}`}
            onClick={() => post({ type: "openFile", uri: existing })}
          >
            {visibleLines(existing)}
          </button>
        )}
        {movedFrom !== undefined && " moved to "}
        {existing !== path && <span class="diff-path">{name}</span>}
      </span>
      {isNew && <span class="diff-new">New file</span>}
      {isDeleted && <span class="diff-new">Deleted</span>}
      <span class="diff-counts">
        <span class="sr-only">{`${added} lines added, ${removed} removed`}</span>
        <span class="diff-added" aria-hidden="true">{`+${added.toLocaleString()}`}</span>{" "}
        <span class="diff-removed" aria-hidden="true">{`−${removed.toLocaleString()}`}</span>
      </span>
    </div>
  );
}

function Hunk({ hunk, first }: { readonly hunk: DiffHunk; readonly first: boolean }) {
  let { before, after } = hunk;
  return (
    <div class="diff-hunk">
      {!first && (
        <div class="diff-gap" aria-hidden="true">
          {`⋯ line ${after}`}
        </div>
      )}
      {hunk.lines.map((line, index) => {
        const number = line.kind === "removed" ? before : after;
        if (line.kind !== "added") before++;
        if (line.kind !== "removed") after++;
        return <Line key={index} line={line} number={number} />;
      })}
    </div>
  );
}

const SIGNS = { same: "", added: "+", removed: "−" } as const;
const WORDS = { same: "", added: "Added: ", removed: "Removed: " } as const;

function Line({ line, number }: { readonly line: DiffLine; readonly number: number }) {
  const { kind, text, mark, unended } = line;
  return (
    <div class={`diff-line is-${kind}`}>
      <span class="diff-number" aria-hidden="true">
        {number}
      </span>
      <span class="diff-sign" aria-hidden="true">
        {SIGNS[kind]}
      </span>
      <span class="diff-text">
        {kind !== "same" && <span class="sr-only">{WORDS[kind]}</span>}
        {mark === undefined || text.length > MAX_LINE ? (
          lineText(text)
        ) : (
          <>
            {visibleLines(text.slice(0, mark[0]))}
            <span class="diff-mark">{visibleLines(text.slice(...mark))}</span>
            {visibleLines(text.slice(mark[1]))}
          </>
        )}
        {unended && <span class="diff-unended">No line break at the end</span>}
      </span>
    </div>
  );
}

function lineText(text: string): string {
  const shown = visibleLines(text.slice(0, MAX_LINE));
  return text.length > MAX_LINE ? `${shown}… (${(text.length - MAX_LINE).toLocaleString()} more characters)` : shown;
}

function firstLines(hunks: readonly DiffHunk[], count: number): readonly DiffHunk[] {
  let left = count;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
}
