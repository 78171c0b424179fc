import { agentsOf } from "../../common/participants/participants.ts";
import { composerMode } from "../state/composer-mode.ts";
import { team } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { hidesBeforeReset } from "../timeline/rows.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { ShowBeforeReset } from "../ui/show-before-reset.tsx";

/** Shown for a team without messages: its participants, and a hint to enter a task. */
export function EmptyThread() {
  return (
    <div class="empty">
      {hidesBeforeReset.value && (
        <p class="empty-reset">
          <Icon name="refresh" /> Thread was reset · <ShowBeforeReset />
        </p>
      )}
      <p class="empty-lead">{team.peek()?.description ?? "The team is ready."}</p>
      <ul class="empty-team">
        {agentsOf(roster.value).map(({ name, description }) => (
          <li key={name}>
            <Avatar name={name} />
            <span class="empty-name">{name}</span>
            {description !== undefined && <span class="empty-role">{description}</span>}
          </li>
        ))}
      </ul>
      {composerMode.value !== "closed" && <p class="empty-hint">Enter a task below to start.</p>}
    </div>
  );
}
