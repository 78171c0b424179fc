import { LEGEND, visibleLines, visibleText } from "../../../shared/text/visible-text.ts";
import type { CallCard, ShownCommand } from "../../common/call-card.ts";
import { post } from "../state/editor-bridge.ts";
import { Icon } from "../ui/icon.tsx";
import { TextBlock } from "../ui/text-block.tsx";
import { ValueTree } from "../ui/value-tree.tsx";
import { EditDiff } from "./edit-diff.tsx";

/** Exactly what a call would do. */
export function CallBody({ card: { ref, body }, name }: { readonly card: CallCard; readonly name: string }) {
  switch (body.kind) {
    case "edit":
      return <EditDiff id={`${ref}-diff`} edit={body.edit} />;
    case "edits":
      return (
        <>
          {body.edits.map((edit) => (
            <EditDiff key={edit.path} id={`${ref}-${edit.path}-diff`} edit={edit} />
          ))}
        </>
      );
    case "command":
      return <Command command={body.command} />;
    case "page":
      return <ExactText text={body.url} head={body.host} copyLabel="Copy address" />;
    case "input":
      return isEmpty(body.input) ? null : (
        <ValueTree value={body.input} label={`Input of ${visibleLines(name)}`} whole />
      );
    case "result": {
      const { text, characters, isError } = body;
      const left = characters - text.length;
      return (
        <>
          <TextBlock text={text} label={isError ? "Error" : "Result"} />
          {left > 0 && (
            <p class="tool-note">{`${left.toLocaleString()} more characters. Open it in an editor to read all.`}</p>
          )}
        </>
      );
    }
    case "long":
      return <p class="tool-note">{`Its input has ${body.characters.toLocaleString()} characters.`}</p>;
  }
}

const GOES_ON = "It goes on in the background until it ends, or you or a participant stop it.";

/** A command, and where and how it runs. */
function Command({
  command: { line, folder, timeoutSeconds, background, sandbox },
}: {
  readonly command: ShownCommand;
}) {
  const notes = [
    background ? GOES_ON : undefined,
    sandbox,
    timeoutSeconds === undefined ? undefined : `It is ended after ${timeoutSeconds} s.`,
  ].filter((sentence) => sentence !== undefined);
  return (
    <>
      <ExactText text={line} head={folder} copyLabel="Copy command" />
      {notes.length > 0 && <p class="tool-note">{notes.map(visibleLines).join(" ")}</p>}
    </>
  );
}

interface ExactTextProps {
  readonly text: string;
  /** What is above it. */
  readonly head: string;
  readonly copyLabel: string;
}

/** A text that is never cut. What cannot be seen in it is written out. */
function ExactText({ text: given, head, copyLabel }: ExactTextProps) {
  const { text, written } = visibleText(given);
  return (
    <div class="text-block command">
      <div class="code-head">
        <span class="code-language command-folder" title={head}>
          {visibleLines(head)}
        </span>
        <button
          type="button"
          class="icon-button"
          title="Copy"
          aria-label={copyLabel}
          onClick={() => post({ type: "copy", text: given })}
        >
          <Icon name="copy" />
        </button>
      </div>
      <pre>{text}</pre>
      {written && <p class="truncation-note">{LEGEND}</p>}
    </div>
  );
}

function isEmpty(input: unknown): boolean {
  return input === undefined || (typeof input === "object" && input !== null && Object.keys(input).length === 0);
}
