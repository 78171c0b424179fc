import { computed } from "@preact/signals";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { threadName } from "../../../shared/text/thread-name.ts";
import { costText, usageText } from "../../../shared/text/usage-text.ts";
import { teamKindText } from "../../common/kind-text.ts";
import { team, timeline, user } from "../state/page-state.ts";
import { hasFailed, statusText } from "../text/run-text.ts";
import { Participants } from "./participants.tsx";
import { PresenceLine } from "./presence-line.tsx";

/** The first line of the header as JSON, so that chunks of a message do not render it again. */
const headline = computed(() => {
  const now = team.value;
  if (now === null) return null;
  return JSON.stringify({
    name: threadName(now),
    status: hasFailed(now, timeline.value.events) ? "failed" : now.status,
    text: statusText(now, timeline.value.events, user.value),
    kind: teamKindText[now.kind],
    usage: now.usage,
  });
});

interface Headline {
  readonly name: string;
  readonly status: TeamState["status"] | "failed";
  readonly text: string;
  readonly kind: string;
  readonly usage: TeamState["usage"];
}

/** The team's name, status and participants. */
export function TeamHeader() {
  if (headline.value === null) return null;
  const { name, status, text, kind, usage } = JSON.parse(headline.value) as Headline;
  return (
    <header class="team-header">
      <div class="team-line">
        <h1 class="team-name" title={name}>
          {name}
        </h1>
        <span class={`status is-${status}`}>
          <span class="status-dot" aria-hidden="true" />
          {text}
        </span>
        <span class="team-info">
          {usage.total > 0 && (
            <span class="tokens" title={usageTitle(usage)}>
              {usageText(usage)}
            </span>
          )}
          <span class="team-kind" title={`Speaker selection: ${kind}`}>
            {kind}
          </span>
        </span>
      </div>
      <PresenceLine />
      <Participants />
    </header>
  );
}

function usageTitle({ prompt, completion, total, cost }: TeamState["usage"]): string {
  const tokens = `${total.toLocaleString()} tokens used by this team: ${prompt.toLocaleString()} input, ${completion.toLocaleString()} output`;
  return cost === undefined ? tokens : `${tokens}; ${costText(cost)}`;
}
