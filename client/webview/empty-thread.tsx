import { Avatar } from "./avatar.tsx";
import { mode } from "./composer-state.ts";
import { team } from "./page-state.ts";
import { agentsOf } from "./people.ts";
import { roster } from "./roster.ts";

/** A team that has said nothing yet: who is in it, and that it waits for a task. */
export function EmptyThread() {
  return (
    <div class="empty">
      <p class="empty-lead">{team.peek()?.description ?? "The team is here."}</p>
      <ul class="empty-team">
        {agentsOf(roster.value).map(({ name, description }) => (
          <li key={name}>
            <Avatar name={name} />
            <span class="empty-name">{name}</span>
            {description !== undefined && <span class="empty-role">{description}</span>}
          </li>
        ))}
      </ul>
      {mode.value !== "closed" && <p class="empty-hint">Give it a task below to begin.</p>}
    </div>
  );
}
