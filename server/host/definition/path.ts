import { isRecord } from "../../../shared/json-record.ts";

/** A path in a value: keys and positions from its root. */
export type Path = readonly PropertyKey[];

/** A path as text: `participants[0].name`. The root is the empty text. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    const key = String(step);
    if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
}

/** The path that {@link pathText} wrote. */
export function pathSteps(text: string): Path {
  return [...text.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[]+)/g)].map(([, position, quoted, key = ""]) => {
    if (position !== undefined) return Number(position);
    return quoted === undefined ? key : String(JSON.parse(quoted));
  });
}

/** The value at a path of plain JSON; undefined if there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
    return isRecord(value) && typeof step === "string" && Object.hasOwn(value, step) ? value[step] : undefined;
  }, root);
}
