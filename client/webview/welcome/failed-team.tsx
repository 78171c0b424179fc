import { post } from "../state/editor-bridge.ts";
import { failedTeam, failedTeamText } from "../state/page-state.ts";
import { ErrorActionButton } from "../ui/error-action-button.tsx";
import { Icon } from "../ui/icon.tsx";

/** So many problems are listed; VS Code's own list has all. */
const LISTED = 5;

/** Shown in place of a team whose file has problems: what is wrong, where, and what to do. */
export function FailedTeam() {
  const now = failedTeam.value;
  if (now === null) return null;
  const { uri, name, problems, lacksModel } = now;
  const [first] = problems;
  return (
    <main class="failed-team">
      <h1>
        <Icon name="error" /> {name}
      </h1>
      <p>{failedTeamText(now)} Correct and save the file; the team then opens by itself.</p>
      <ul class="problems" aria-label="Problems">
        {problems.slice(0, LISTED).map(({ text, line, column }) => (
          <li key={`${line} ${column} ${text}`}>
            <button
              type="button"
              class="surface-button problem"
              title={text}
              onClick={() => post({ type: "errorAction", command: "openTeamFile", argument: at(uri, line, column) })}
            >
              <span class="problem-text">{text}</span>
              {line !== undefined && <span class="problem-line">Line {line}</span>}
            </button>
          </li>
        ))}
      </ul>
      <div class="banner-actions">
        {lacksModel && <ErrorActionButton action={{ label: "Select Model…", command: "selectModel" }} />}
        <ErrorActionButton
          action={{ label: "Edit Team File", command: "openTeamFile", argument: at(uri, first?.line, first?.column) }}
          secondary={lacksModel === true}
        />
        {problems.length > 1 && (
          <ErrorActionButton
            action={{ label: `Show ${problems.length} Problems`, command: "showProblems" }}
            secondary
          />
        )}
        <button type="button" class="button is-secondary" onClick={() => post({ type: "closeTeam", teamId: uri })}>
          Close
        </button>
      </div>
    </main>
  );
}

/** The place in the file, as `openTeamFile` goes there. */
function at(uri: string, line = 1, column = 1): string {
  return `${uri}#L${line},${column}`;
}
