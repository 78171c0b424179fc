import type { ComponentChildren } from "preact";
import { isRecord } from "../../../shared/json-record.ts";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import { post } from "../state/editor-bridge.ts";
import { fullText } from "../text/tool-text.ts";
import { Icon } from "./icon.tsx";

/** How many levels, entries of a list or object, and characters of a text are rendered; the copy button copies all. */
const SHORT = { depth: 4, entries: 60, characters: 4000 };
const WHOLE = { depth: 12, entries: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };
type Limits = typeof SHORT;

/** A part of the value, and how deep it is in it. */
interface Part<T> {
  readonly value: T;
  readonly level: number;
  readonly limits: Limits;
}

interface Props {
  readonly value: unknown;
  readonly label: string;
  /** Leaves nothing out, and does not scroll: the user decides on all of it. */
  readonly whole?: boolean;
}

/** A value as a tree of keys and values, with a button to copy its JSON. */
export function ValueTree({ value, label, whole = false }: Props) {
  return (
    <div class={`value-tree text-block${whole ? " is-whole" : ""}`}>
      <div class="code-head">
        <span class="code-language">{label}</span>
        <button
          type="button"
          class="icon-button"
          title="Copy as JSON"
          aria-label={`Copy ${label.toLowerCase()} as JSON`}
          onClick={() => post({ type: "copy", text: fullJson(value) })}
        >
          <Icon name="copy" />
        </button>
      </div>
      <div class="value-body">
        <Value value={value} level={0} limits={whole ? WHOLE : SHORT} />
      </div>
    </div>
  );
}

function Value({ value, level, limits }: Part<unknown>) {
  if (Array.isArray(value) && value.length > 0)
    return level < limits.depth ? (
      <List value={value} level={level} limits={limits} />
    ) : (
      <Json value={value} limits={limits} />
    );
  if (isRecord(value) && Object.keys(value).length > 0) {
    return level < limits.depth ? (
      <Fields value={value} level={level} limits={limits} />
    ) : (
      <Json value={value} limits={limits} />
    );
  }
  if (typeof value === "string" && value !== "") return <span class="value-text">{truncate(value, limits)}</span>;
  return <Json value={value} limits={limits} />;
}

function Fields({ value, level, limits }: Part<Readonly<Record<string, unknown>>>) {
  const entries = Object.entries(value);
  return (
    <dl class="value-fields">
      {entries.slice(0, limits.entries).map(([key, field]) => (
        <div key={key} class={isLarge(field) ? "value-field is-large" : "value-field"}>
          <dt>{visibleLines(key)}</dt>
          <dd>
            <Value value={field} level={level + 1} limits={limits} />
          </dd>
        </div>
      ))}
      <Rest count={entries.length - limits.entries} />
    </dl>
  );
}

function List({ value, level, limits }: Part<readonly unknown[]>) {
  return (
    <ul class="value-list">
      {value.slice(0, limits.entries).map((each, index) => (
        <li key={index}>
          <Value value={each} level={level + 1} limits={limits} />
        </li>
      ))}
      <Rest count={value.length - limits.entries} as="li" />
    </ul>
  );
}

function Rest({ count, as = "div" }: { readonly count: number; readonly as?: "div" | "li" }) {
  if (count <= 0) return null;
  const text: ComponentChildren = `${count.toLocaleString()} more. Copy to see all.`;
  return as === "li" ? <li class="truncation-note">{text}</li> : <div class="truncation-note">{text}</div>;
}

/** Numbers, booleans, null and empty values, as JSON. */
function Json({ value, limits }: Pick<Part<unknown>, "value" | "limits">) {
  return <code class="value-json">{truncate(JSON.stringify(value) ?? "null", limits)}</code>;
}

/** A list or object with entries is placed below its key. */
function isLarge(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isRecord(value) && Object.keys(value).length > 0;
}

function truncate(text: string, { characters }: Limits): string {
  const shown = visibleLines(text.slice(0, characters));
  return text.length > characters
    ? `${shown}… (${(text.length - characters).toLocaleString()} more characters)`
    : shown;
}

function fullJson(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : fullText(value);
}
