import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { isMultipleOf } from "./multiple-of.ts";
import type { Place } from "./place.ts";

export interface SchemaProblem {
  readonly place: Place | undefined;
  /** The rest of a sentence about the place; undefined if a property is missing there. */
  readonly message: string | undefined;
}

/** Which properties and items keywords have evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
interface Evaluated {
  readonly keys: Set<string | number>;
}

/** Where a schema is applied. */
export interface At {
  readonly place: Place | undefined;
  readonly depth: number;
  readonly problems: SchemaProblem[];
  readonly evaluated: Evaluated | undefined;
}

/** Adds a problem. Returns false, as a check that fails. */
export function report({ place, problems }: At, message: string | undefined): false {
  problems.push({ place, message });
  return false;
}

export const below = (at: At): At => ({ ...at, depth: at.depth + 1 });
export const silent = (at: At): At => ({ ...below(at), problems: [], evaluated: at.evaluated && { keys: new Set() } });

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(value) ? Object.entries(value) : [];

export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "";
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
};

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

export function checkType(wanted: unknown, value: unknown, at: At): boolean {
  if (wanted === undefined) return true;
  const types = listOf([wanted].flat());
  const type = typeOf(value);
  if (types.includes(type) || (types.includes("integer") && Number.isInteger(value))) return true;
  return report(at, `is of type ${type} and has to be ${types.join(" or ")}`);
}

export function checkRequired(names: unknown, value: JsonRecord, at: At): boolean {
  let isValid = true;
  for (const name of listOf(names)) {
    if (typeof name !== "string" || Object.hasOwn(value, name)) continue;
    isValid = report({ ...at, place: { above: at.place, key: name } }, undefined);
  }
  return isValid;
}

export function checkNumber(schema: JsonRecord, value: number, at: At): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  // In draft 4 these two are true or false, and concern the other two.
  const over = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const under = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  let isValid = true;
  if (typeof minimum === "number" && value < minimum) isValid = report(at, `${value} is less than ${minimum}`);
  if (typeof maximum === "number" && value > maximum) isValid = report(at, `${value} is greater than ${maximum}`);
  if (typeof over === "number" && value <= over) isValid = report(at, `${value} is not greater than ${over}`);
  if (typeof under === "number" && value >= under) isValid = report(at, `${value} is not less than ${under}`);
  if (typeof multipleOf !== "number" || isMultipleOf(value, multipleOf)) return isValid;
  return report(at, `${value} is not a multiple of ${multipleOf}`);
}
