import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { compilePattern, type Pattern } from "../pattern/pattern.ts";
import type { Work } from "../pattern/work.ts";
import { canonical } from "./canonical.ts";
import {
  type At,
  below,
  checkNumber,
  checkRequired,
  checkType,
  entriesOf,
  listOf,
  report,
  type SchemaProblem,
  shown,
  silent,
} from "./checks.ts";
import { matchesFormat } from "./formats.ts";
import type { References } from "./references.ts";
import { SchemaError } from "./schema-error.ts";
import { Steps } from "./steps.ts";

/** How deep schemas are applied within each other. */
const MAX_DEPTH = 400;

/** The limit on the work of its patterns: 10 to 20 ms. */
const MATCHING_UNITS = 2_000_000;

/** How many problems are kept. */
const MAX_PROBLEMS = 1_000;

/** Applies one schema to one value. Its work is limited, whatever the schema and the value. */
export class Validation {
  readonly #references: References;
  readonly #patterns: Map<string, Pattern>;
  /** Drafts 4 and 7 ignore keywords beside `$ref`. */
  readonly #refIsAlone: boolean;
  readonly #steps = new Steps();
  readonly #work: Work = { left: MATCHING_UNITS };

  constructor(references: References, patterns: Map<string, Pattern>, refIsAlone: boolean) {
    this.#references = references;
    this.#patterns = patterns;
    this.#refIsAlone = refIsAlone;
  }

  /** All problems of the value, at most the first {@link MAX_PROBLEMS}. @throws SchemaError, PatternError. */
  problems(schema: unknown, value: unknown): readonly SchemaProblem[] {
    const problems: SchemaProblem[] = [];
    const evaluated = this.#references.hasUnevaluated ? { keys: new Set<string | number>() } : undefined;
    this.#apply(schema, value, { place: undefined, depth: 0, problems, evaluated });
    return problems;
  }

  /** Returns whether the value is valid. */
  #apply(schema: unknown, value: unknown, at: At): boolean {
    this.#steps.add(1);
    if (at.depth > MAX_DEPTH) throw new SchemaError(`its parts are nested more than ${MAX_DEPTH} deep, or in a circle`);
    if (schema === false) return report(at, "is not allowed");
    if (!isRecord(schema)) return true;
    const before = at.problems.length;
    const isValid = this.#applyKeywords(schema, value, at);
    if (at.problems.length > MAX_PROBLEMS) at.problems.length = Math.max(before, MAX_PROBLEMS);
    return isValid;
  }

  #applyKeywords(schema: JsonRecord, value: unknown, at: At): boolean {
    const ref = schema["$ref"] ?? schema["$dynamicRef"] ?? (schema["$recursiveRef"] === "#" ? "#" : undefined);
    let isValid = typeof ref !== "string" || this.#apply(this.#references.resolve(schema, ref), value, below(at));
    if (this.#refIsAlone && typeof schema["$ref"] === "string") return isValid;
    isValid = checkType(schema["type"], value, at) && isValid;
    isValid = this.#checkValues(schema, value, at) && isValid;
    isValid = this.#checkCombinations(schema, value, at) && isValid;
    isValid = this.#checkCondition(schema, value, at) && isValid;
    if (typeof value === "string") return this.#checkText(schema, value, at) && isValid;
    if (typeof value === "number") return checkNumber(schema, value, at) && isValid;
    if (Array.isArray(value)) return this.#checkItems(schema, value, at) && isValid;
    return isRecord(value) ? this.#checkObject(schema, value, at) && isValid : isValid;
  }

  #checkValues(schema: JsonRecord, value: unknown, at: At): boolean {
    let isValid = true;
    if (Object.hasOwn(schema, "const") && !this.#isOneOf([schema["const"]], value)) {
      isValid = report(at, `does not match ${shown(schema["const"])}`);
    }
    const choices = schema["enum"];
    if (Array.isArray(choices) && !this.#isOneOf(choices, value)) {
      isValid = report(at, `does not match any of ${shown(choices)}`);
    }
    return isValid;
  }

  #isOneOf(choices: readonly unknown[], value: unknown): boolean {
    this.#steps.add(choices.length);
    if (typeof value !== "object" || value === null) return choices.includes(value);
    const wanted = this.#canonical(value);
    return choices.some((choice) => typeof choice === "object" && this.#canonical(choice) === wanted);
  }

  #canonical(value: unknown): string {
    const text = canonical(value);
    this.#steps.add(text.length);
    return text;
  }

  #checkCombinations(schema: JsonRecord, value: unknown, at: At): boolean {
    let isValid = true;
    for (const inner of listOf(schema["allOf"])) isValid = this.#applyAside(inner, value, at, at.problems) && isValid;
    isValid =
      this.#checkChoice(schema["anyOf"], value, at, (count) => count > 0, "does not match any subschemas") && isValid;
    const oneOf = (count: number): boolean => count === 1;
    isValid = this.#checkChoice(schema["oneOf"], value, at, oneOf, "does not match exactly one subschema") && isValid;
    if (schema["not"] === undefined || !this.#apply(schema["not"], value, silent(at))) return isValid;
    return report(at, 'matches the schema of "not"');
  }

  #checkChoice(
    schemas: unknown,
    value: unknown,
    at: At,
    isEnough: (count: number) => boolean,
    message: string,
  ): boolean {
    if (!Array.isArray(schemas)) return true;
    const problems: SchemaProblem[] = [];
    let count = 0;
    for (const schema of schemas as readonly unknown[]) if (this.#applyAside(schema, value, at, problems)) count++;
    if (isEnough(count)) return true;
    report(at, message);
    for (const problem of problems.slice(0, MAX_PROBLEMS)) at.problems.push(problem);
    return false;
  }

  /** What is evaluated counts only if the value is valid. */
  #applyAside(schema: unknown, value: unknown, at: At, problems: SchemaProblem[]): boolean {
    const evaluated = at.evaluated && { keys: new Set<string | number>() };
    const isValid = this.#apply(schema, value, { ...below(at), problems, evaluated });
    if (isValid) this.#addEvaluated(at, evaluated?.keys ?? []);
    return isValid;
  }

  #addEvaluated({ evaluated }: At, keys: Iterable<string | number>): void {
    if (evaluated === undefined) return;
    for (const key of keys) {
      this.#steps.add(1);
      evaluated.keys.add(key);
    }
  }

  #checkCondition(schema: JsonRecord, value: unknown, at: At): boolean {
    if (schema["if"] === undefined) return true;
    const next = this.#applyAside(schema["if"], value, at, []) ? schema["then"] : schema["else"];
    return next === undefined || this.#apply(next, value, below(at));
  }

  #checkText(schema: JsonRecord, value: string, at: At): boolean {
    const { minLength, maxLength, pattern, format } = schema;
    for (const keyword of [minLength ?? maxLength, format]) if (keyword !== undefined) this.#steps.addReading(value);
    let isValid = true;
    const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
    if (typeof minLength === "number" && length < minLength)
      isValid = report(at, `is too short (${length} < ${minLength})`);
    if (typeof maxLength === "number" && length > maxLength)
      isValid = report(at, `is too long (${length} > ${maxLength})`);
    if (typeof pattern === "string" && !this.#matches(pattern, value)) isValid = report(at, "does not match pattern");
    if (typeof format !== "string" || matchesFormat(format, value)) return isValid;
    return report(at, `does not match format "${format}"`);
  }

  #matches(source: string, text: string): boolean {
    const matches = this.#pattern(source).test(text, this.#work);
    if (matches === undefined) throw new SchemaError("its patterns take too long for this value; make them simpler");
    return matches;
  }

  #pattern(source: string): Pattern {
    const known = this.#patterns.get(source);
    if (known !== undefined) return known;
    const pattern = compilePattern(source);
    this.#patterns.set(source, pattern);
    return pattern;
  }

  #checkItems(schema: JsonRecord, value: readonly unknown[], at: At): boolean {
    const { minItems, maxItems, uniqueItems, prefixItems, items, additionalItems, unevaluatedItems } = schema;
    let isValid = true;
    if (typeof minItems === "number" && value.length < minItems)
      isValid = report(at, `has fewer than ${minItems} items`);
    if (typeof maxItems === "number" && value.length > maxItems)
      isValid = report(at, `has more than ${maxItems} items`);
    if (uniqueItems === true && !this.#isUnique(value)) isValid = report(at, "has equal items");
    const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    const rest = Array.isArray(items) ? additionalItems : items;
    for (const [index, item] of value.entries()) {
      const inner: unknown = index < tuple.length ? tuple[index] : rest;
      if (inner === undefined) break;
      isValid = this.#applyPart(inner, item, index, at) && isValid;
    }
    isValid = this.#checkContains(schema, value, at) && isValid;
    if (unevaluatedItems === undefined) return isValid;
    return this.#checkUnevaluated(unevaluatedItems, value.entries(), at) && isValid;
  }

  #isUnique(value: readonly unknown[]): boolean {
    const seen = new Set<string>();
    return value.every((item) => {
      const text = this.#canonical(item);
      return seen.has(text) ? false : seen.add(text);
    });
  }

  #checkContains({ contains, minContains, maxContains }: JsonRecord, value: readonly unknown[], at: At): boolean {
    if (contains === undefined) return true;
    let count = 0;
    for (const [index, item] of value.entries()) {
      if (!this.#apply(contains, item, { ...silent(at), place: { above: at.place, key: index } })) continue;
      count++;
      this.#addEvaluated(at, [index]);
    }
    const least = typeof minContains === "number" ? minContains : 1;
    const most = typeof maxContains === "number" ? maxContains : Number.POSITIVE_INFINITY;
    if (count < least) return report(at, `has fewer than ${least} items that match "contains"`);
    return count <= most || report(at, `has more than ${most} items that match "contains"`);
  }

  /** Applies a schema to a property or an item. */
  #applyPart(schema: unknown, value: unknown, key: string | number, at: At): boolean {
    this.#addEvaluated(at, [key]);
    const evaluated = at.evaluated && { keys: new Set<string | number>() };
    return this.#apply(schema, value, { ...below(at), place: { above: at.place, key }, evaluated });
  }

  #checkUnevaluated(schema: unknown, parts: Iterable<readonly [string | number, unknown]>, at: At): boolean {
    let isValid = true;
    for (const [key, part] of parts) {
      if (at.evaluated?.keys.has(key) !== true) isValid = this.#applyPart(schema, part, key, at) && isValid;
    }
    return isValid;
  }

  #checkObject(schema: JsonRecord, value: JsonRecord, at: At): boolean {
    const { minProperties, maxProperties, propertyNames } = schema;
    const keys = Object.keys(value);
    let isValid = checkRequired(schema["required"], value, at);
    if (typeof minProperties === "number" && keys.length < minProperties)
      isValid = report(at, `has fewer than ${minProperties} properties`);
    if (typeof maxProperties === "number" && keys.length > maxProperties)
      isValid = report(at, `has more than ${maxProperties} properties`);
    if (propertyNames !== undefined) {
      for (const key of keys) isValid = this.#applyName(propertyNames, key, at) && isValid;
    }
    isValid = this.#checkDependencies(schema, value, at) && isValid;
    isValid = this.#checkProperties(schema, value, at) && isValid;
    if (schema["unevaluatedProperties"] === undefined) return isValid;
    return this.#checkUnevaluated(schema["unevaluatedProperties"], Object.entries(value), at) && isValid;
  }

  #applyName(schema: unknown, key: string, at: At): boolean {
    return this.#apply(schema, key, { ...below(at), place: { above: at.place, key }, evaluated: undefined });
  }

  #checkDependencies(schema: JsonRecord, value: JsonRecord, at: At): boolean {
    let isValid = true;
    for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"]) {
      for (const [key, needed] of entriesOf(schema[keyword])) {
        this.#steps.add(1);
        if (!Object.hasOwn(value, key)) continue;
        const isMet = Array.isArray(needed) ? checkRequired(needed, value, at) : this.#apply(needed, value, below(at));
        isValid = isMet && isValid;
      }
    }
    return isValid;
  }

  #checkProperties(schema: JsonRecord, value: JsonRecord, at: At): boolean {
    const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
    const patterns = entriesOf(schema["patternProperties"]);
    const others = schema["additionalProperties"];
    let isValid = true;
    const known = new Set<string>();
    for (const [key, inner] of Object.entries(properties)) {
      this.#steps.add(1);
      if (!Object.hasOwn(value, key)) continue;
      known.add(key);
      isValid = this.#applyPart(inner, value[key], key, at) && isValid;
    }
    for (const [key, part] of Object.entries(value)) {
      for (const [source, inner] of patterns) {
        this.#steps.add(1);
        if (!this.#matches(source, key)) continue;
        known.add(key);
        isValid = this.#applyPart(inner, part, key, at) && isValid;
      }
      if (others !== undefined && !known.has(key)) isValid = this.#applyPart(others, part, key, at) && isValid;
    }
    return isValid;
  }
}
