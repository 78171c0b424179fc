import type { ErrorItem } from "../common/timeline/items.ts";
import { visibleLines } from "../common/visible-text.ts";
import { Icon } from "./icon.tsx";
import { MendButton } from "./mend-button.tsx";
import { mendsOf } from "./mends.ts";
import { team, trusted } from "./page-state.ts";
import { timeOf } from "./words.ts";

/** A failure in one sentence, and the way to mend it. */
export function ErrorRow({ item }: { readonly item: ErrorItem }) {
  const mends = trusted.value ? mendsOf(item, team.value?.uri) : [];
  return (
    <div class="error-card">
      <div class="error-text">
        <Icon name="error" />
        <span class="error-words">{visibleLines(item.message)}</span>
        <time class="time" dateTime={item.at}>
          {timeOf(item.at)}
        </time>
      </div>
      {mends.length > 0 && (
        <div class="button-row">
          {mends.map((mend, index) => (
            <MendButton key={mend.command} mend={mend} secondary={index > 0} />
          ))}
        </div>
      )}
    </div>
  );
}
