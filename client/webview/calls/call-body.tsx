import { LEGEND, visibleLines, visibleText } from "../../../shared/text/visible-text.ts";
import type { CallCard, ShownCommand } from "../../common/call-card.ts";
import { post } from "../state/editor-bridge.ts";
import { Icon } from "../ui/icon.tsx";
import { ValueTree } from "../ui/value-tree.tsx";
import { EditDiff } from "./edit-diff.tsx";

/** Exactly what a call would do. */
export function CallBody({ card: { ref, body }, name }: { readonly card: CallCard; readonly name: string }) {
  switch (body.kind) {
    case "edit":
      return <EditDiff id={`${ref}-diff`} edit={body.edit} />;
    case "command":
      return <Command command={body.command} />;
    case "input":
      return isEmpty(body.input) ? null : (
        <ValueTree value={body.input} label={`Input of ${visibleLines(name)}`} whole />
      );
    case "long":
      return <p class="tool-note">{`Its input has ${body.characters.toLocaleString()} characters.`}</p>;
  }
}

/** The command is never cut. What cannot be seen in it is written out. */
function Command({ command: { line, folder, timeoutSeconds, sandbox } }: { readonly command: ShownCommand }) {
  const { text, written } = visibleText(line);
  return (
    <>
      <div class="text-block command">
        <div class="code-head">
          <span class="code-language command-folder" title={folder}>
            {visibleLines(folder)}
          </span>
          <button
            type="button"
            class="icon-button"
            title="Copy"
            aria-label="Copy command"
            onClick={() => post({ type: "copy", text: line })}
          >
            <Icon name="copy" />
          </button>
        </div>
        <pre>{text}</pre>
        {written && <p class="truncation-note">{LEGEND}</p>}
      </div>
      {(sandbox !== undefined || timeoutSeconds !== undefined) && (
        <p class="tool-note">
          {[sandbox, timeoutSeconds === undefined ? undefined : `It is ended after ${timeoutSeconds} s.`]
            .filter((sentence) => sentence !== undefined)
            .map(visibleLines)
            .join(" ")}
        </p>
      )}
    </>
  );
}

function isEmpty(input: unknown): boolean {
  return input === undefined || (typeof input === "object" && input !== null && Object.keys(input).length === 0);
}
