import type { InterruptItem } from "../../common/timeline/items.ts";
import { toggledSections, toggleSection } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { timeText } from "../text/format.ts";
import { interruptCause } from "../text/interrupt-cause.ts";
import { interruptText, receiptDetails, receiptParts } from "../text/interrupt-text.ts";
import { Icon } from "../ui/icon.tsx";

/** An interrupt: what it waits for while it is under way, then its receipt as a line that expands. */
export function ReceiptRow({ item }: { readonly item: InterruptItem }) {
  const done = item.state === "completed";
  const cause = interruptCause(item, roster.value);
  const open = done && toggledSections.value.has(item.key);
  const line = (
    <>
      <Icon name={done ? "stop-circle" : "loading"} spin={!done} />
      <span class="event-text">
        <strong>{interruptText(item, cause)}</strong>
        {receiptParts(item).map((part, index) => (
          <span key={index}>{` · ${part}`}</span>
        ))}
      </span>
    </>
  );
  return (
    <div class="receipt" {...(done ? { "data-section": item.key } : {})}>
      <div class="event-line is-warning">
        {done ? (
          <button
            type="button"
            class="collapsible-header receipt-line"
            aria-expanded={open}
            title="Show what was stopped and what was kept"
            onClick={() => toggleSection(item.key)}
          >
            {line}
            <Icon name={open ? "chevron-down" : "chevron-right"} />
          </button>
        ) : (
          line
        )}
        <time class="time" dateTime={item.at}>
          {timeText(item.at)}
        </time>
      </div>
      {open && (
        <dl class="receipt-details">
          {receiptDetails(item, cause).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
