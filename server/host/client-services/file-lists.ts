import { homedir } from "node:os";
import { ClientSetting, type ParsedSetting } from "./client-settings.ts";

const MAX_GLOBS = 1000;
const MAX_LENGTH = 1000;

/** A setting that is a list of globs over files, in which `~` is the user's home folder. */
export const fileListSetting = (section: string): ClientSetting<readonly string[]> =>
  new ClientSetting(section, (value) => parse(section, value));

/** What is not a glob is left out, so that the other globs still protect their files. */
function parse(section: string, value: unknown): ParsedSetting<readonly string[]> {
  if (!Array.isArray(value)) return { value: [] };
  const given: readonly unknown[] = value;
  const globs = given.filter(isGlob).slice(0, MAX_GLOBS);
  const usable = { value: globs.map((glob) => glob.replace(/^~(?=\/)/, homedir().replaceAll("\\", "/"))) };
  const left = given.length - globs.length;
  if (left === 0) return usable;
  const what = left === 1 ? "1 entry" : `${left} entries`;
  const rule = `use at most ${MAX_GLOBS} globs that name files, of at most ${MAX_LENGTH} characters`;
  return { ...usable, problem: `The setting ${section} has ${what} that cannot be used; ${rule}.` };
}

const isGlob = (glob: unknown): glob is string =>
  typeof glob === "string" && glob.replace(/[/*]/g, "").trim() !== "" && glob.length <= MAX_LENGTH;
