import { USUAL_KEY_VARIABLES } from "./environment-keys.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const SUFFIX = "_FILE";

/** What else is secret: the addresses of a store and a link, which have passwords, and the token for a host elsewhere. */
const ADDRESSES = ["GAVEL_STORE", "GAVEL_LINK", "GAVEL_HOST_TOKEN"];

/** The variables whose value may be in a file instead, which `NAME_FILE` names. */
const FROM_FILES = [...ADDRESSES, ...USUAL_KEY_VARIABLES];

/** Whether a variable has a secret address or token, or names a file with a secret. */
export const isSecretVariable = (name: string): boolean =>
  ADDRESSES.includes(name) || FROM_FILES.some((one) => name === `${one}${SUFFIX}`);

/**
 * The variables whose values are in files, as services are given their secrets. `read` returns the text of a file.
 * @throws Error with one sentence for a file that cannot be read, or does not have one line.
 */
export function valuesInFiles(variables: Variables, read: (path: string) => string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of FROM_FILES) {
    const named = `${name}${SUFFIX}`;
    const path = variables[named] ?? "";
    if (path === "") continue;
    if ((variables[name] ?? "") !== "") throw new Error(`${name} and ${named} are both set; unset one of them.`);
    const value = textOf(path, named, read);
    if (value === "") throw new Error(`${path}, which ${named} names, is empty; write the value of ${name} into it.`);
    if (/[\r\n]/.test(value))
      throw new Error(`${path}, which ${named} names, has several lines; write the value of ${name} alone into it.`);
    found[name] = value;
  }
  return found;
}

function textOf(path: string, named: string, read: (path: string) => string): string {
  try {
    return read(path).trim();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new Error(
      `${path}, which ${named} names, cannot be read${code}; make that file readable, or unset ${named}.`,
    );
  }
}
