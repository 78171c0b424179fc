import { visibleLines } from "../../../shared/text/visible-text.ts";
import { errorActions } from "../../common/error-actions.ts";
import type { ErrorItem } from "../../common/timeline/items.ts";
import { team, trusted } from "../state/page-state.ts";
import { timeText } from "../text/format.ts";
import { ErrorActionButton } from "../ui/error-action-button.tsx";
import { Icon } from "../ui/icon.tsx";

/** A failure in one sentence, and what the user can do about it. */
export function ErrorRow({ item }: { readonly item: ErrorItem }) {
  const actions = trusted.value ? errorActions(item.data, team.value?.uri) : [];
  return (
    <div class="card is-error error-card">
      <div class="card-title error-text">
        <Icon name="error" />
        <span class="error-message">
          {item.participant !== undefined && <strong>{item.participant}: </strong>}
          {visibleLines(item.message)}
        </span>
        <time class="time" dateTime={item.at}>
          {timeText(item.at)}
        </time>
      </div>
      {actions.length > 0 && (
        <div class="button-row">
          {actions.map((action, index) => (
            <ErrorActionButton key={action.command} action={action} secondary={index > 0} />
          ))}
        </div>
      )}
    </div>
  );
}
