import * as z from "zod";
import { isRecord } from "../../../shared/json-record.ts";
import { type Path, valueAt } from "./path.ts";

type Schema = z.core.$ZodType;

/** The keys that the schema allows at a path of `root`, in the schema's order; none if it is not an object there. */
export function keysAt(schema: Schema, root: unknown, path: Path): string[] {
  let candidates = objectOrOther(schema, root);
  for (const [depth, step] of path.entries()) {
    const value = valueAt(root, path.slice(0, depth + 1));
    candidates = candidates.flatMap((candidate) => stepInto(candidate, step)).flatMap((at) => objectOrOther(at, value));
  }
  return [...new Set(candidates.flatMap((at) => (at instanceof z.ZodObject ? Object.keys(at.shape) : [])))];
}

function stepInto(schema: Schema, step: PropertyKey): Schema[] {
  if (schema instanceof z.ZodArray) return typeof step === "number" ? [schema.element] : [];
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  if (!(schema instanceof z.ZodObject) || typeof step !== "string") return [];
  const shape: Readonly<Record<string, Schema>> = schema.shape;
  const next = Object.hasOwn(shape, step) ? shape[step] : undefined;
  return next === undefined ? [] : [next];
}

/** The schema without wrappers and, for a union, the branches that the value can belong to. */
function objectOrOther(schema: Schema, value: unknown): Schema[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodLazy) {
    return objectOrOther(schema.unwrap(), value);
  }
  if (!(schema instanceof z.ZodUnion)) return [schema];
  return schema.options.filter((option) => mayBe(option, value)).flatMap((option) => objectOrOther(option, value));
}

function mayBe(option: Schema, value: unknown): boolean {
  if (!(option instanceof z.ZodObject) || !isRecord(value)) return true;
  const shape: Readonly<Record<string, Schema>> = option.shape;
  return Object.entries(shape).every(
    ([key, field]) =>
      !(field instanceof z.ZodLiteral) ||
      value[key] === undefined ||
      [...field.values].some((literal) => literal === value[key]),
  );
}
