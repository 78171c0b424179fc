import type { ComponentChildren } from "preact";
import { isRecord } from "../../../shared/json-record.ts";
import { visibleLines } from "../../common/visible-text.ts";
import { post } from "../state/editor-bridge.ts";
import { fullText } from "../text/tool-text.ts";
import { Icon } from "./icon.tsx";

/** How many levels, entries of a list or object, and characters of a text are rendered; the copy button copies all. */
const MAX_DEPTH = 4;
const MAX_ENTRIES = 60;
const MAX_CHARACTERS = 4000;

/** A structured answer as a tree of keys and values, with a button to copy its JSON. */
export function ValueTree({ value }: { readonly value: unknown }) {
  return (
    <div class="value-tree text-block">
      <div class="code-head">
        <span class="code-language">Structured answer</span>
        <button
          type="button"
          class="icon-button"
          title="Copy as JSON"
          aria-label="Copy this answer as JSON"
          onClick={() => post({ type: "copy", text: fullJson(value) })}
        >
          <Icon name="copy" />
        </button>
      </div>
      <div class="value-body">
        <Value value={value} level={0} />
      </div>
    </div>
  );
}

function Value({ value, level }: { readonly value: unknown; readonly level: number }) {
  if (Array.isArray(value) && value.length > 0)
    return level < MAX_DEPTH ? <List values={value} level={level} /> : <Json value={value} />;
  if (isRecord(value) && Object.keys(value).length > 0) {
    return level < MAX_DEPTH ? <Fields value={value} level={level} /> : <Json value={value} />;
  }
  if (typeof value === "string" && value !== "") return <span class="value-text">{truncate(value)}</span>;
  return <Json value={value} />;
}

function Fields({ value, level }: { readonly value: Readonly<Record<string, unknown>>; readonly level: number }) {
  const entries = Object.entries(value);
  return (
    <dl class="value-fields">
      {entries.slice(0, MAX_ENTRIES).map(([key, field]) => (
        <div key={key} class={isLarge(field) ? "value-field is-large" : "value-field"}>
          <dt>{visibleLines(key)}</dt>
          <dd>
            <Value value={field} level={level + 1} />
          </dd>
        </div>
      ))}
      <Rest count={entries.length - MAX_ENTRIES} />
    </dl>
  );
}

function List({ values, level }: { readonly values: readonly unknown[]; readonly level: number }) {
  return (
    <ul class="value-list">
      {values.slice(0, MAX_ENTRIES).map((value, index) => (
        <li key={index}>
          <Value value={value} level={level + 1} />
        </li>
      ))}
      <Rest count={values.length - MAX_ENTRIES} as="li" />
    </ul>
  );
}

function Rest({ count, as = "div" }: { readonly count: number; readonly as?: "div" | "li" }) {
  if (count <= 0) return null;
  const text: ComponentChildren = `${count.toLocaleString()} more. Copy to see all.`;
  return as === "li" ? <li class="truncation-note">{text}</li> : <div class="truncation-note">{text}</div>;
}

/** Numbers, booleans, null and empty values, as JSON. */
function Json({ value }: { readonly value: unknown }) {
  return <code class="value-json">{truncate(JSON.stringify(value) ?? "null")}</code>;
}

/** A list or object with entries is placed below its key. */
function isLarge(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isRecord(value) && Object.keys(value).length > 0;
}

function truncate(text: string): string {
  const shown = visibleLines(text.slice(0, MAX_CHARACTERS));
  return text.length > MAX_CHARACTERS
    ? `${shown}… (${(text.length - MAX_CHARACTERS).toLocaleString()} more characters)`
    : shown;
}

function fullJson(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : fullText(value);
}
