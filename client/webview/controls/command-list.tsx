import type { BackgroundCommand } from "../../../shared/contract/background-command.ts";
import { runningCommands } from "../../../shared/state/command-handlers.ts";
import { shortCommand, starterOf } from "../../../shared/text/command-text.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import { post } from "../state/editor-bridge.ts";
import { canAct } from "../state/own-role.ts";
import { team } from "../state/page-state.ts";
import { Icon } from "../ui/icon.tsx";

/** The commands that run in the background, a line each. */
export function CommandList() {
  const commands = team.value === null ? [] : runningCommands(team.value);
  if (commands.length === 0) return null;
  return (
    <section class="commands-list above-composer" aria-label="Background commands">
      {commands.map((command) => (
        <CommandLine key={command.id} command={command} />
      ))}
    </section>
  );
}

function CommandLine({ command }: { readonly command: BackgroundCommand }) {
  const { id } = command;
  const line = visibleLines(shortCommand(command.command, 200));
  const starter = visibleLines(starterOf(command));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields; this is a group of text and buttons
    <div class="command-line" role="group" aria-label={`${line}, started by ${starter}`}>
      <Icon name="terminal" />
      <span class="command-text">
        <code title={`${line}\n${starter}`}>{line}</code>
        <span class="command-starter">{starter}</span>
      </span>
      <span class="changes-buttons">
        {canAct.value && (
          <button type="button" class="link-button" onClick={() => post({ type: "stopCommand", id })}>
            Stop
          </button>
        )}
        <button type="button" class="link-button" onClick={() => post({ type: "showCommandOutput", id })}>
          Show Output
        </button>
      </span>
    </div>
  );
}
