import type { CommandSettings } from "../../tools/index.ts";
import { ClientSetting, type ParsedSetting } from "./client-settings.ts";

const MAX_NAMES = 1000;
/** A host name, which may have stars and a port. */
export const HOST_NAME = /^(?:[\p{L}\p{N}*_-]+(?:\.[\p{L}\p{N}*_-]+)*|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?$/u;
const VARIABLE = /^[^=\s]+$/;

/** The settings about the commands of models. The client takes them from the user only, never from a workspace. */
export class CommandSettingsOfClient {
  readonly #sandbox = new ClientSetting("gavel.sandbox.enabled", parseSwitch);
  readonly #allowedHosts = nameListSetting("gavel.sandbox.allowedHosts", HOST_NAME);
  readonly #environment = nameListSetting("gavel.commands.environment", VARIABLE);
  readonly settings = [this.#sandbox, this.#allowedHosts, this.#environment] as const;

  /** The last known values. */
  get value(): CommandSettings {
    return {
      sandbox: this.#sandbox.value,
      allowedHosts: this.#allowedHosts.value,
      environment: this.#environment.value,
    };
  }
}

const parseSwitch = (value: unknown): ParsedSetting<boolean> => ({ value: value !== false });

/** A setting that is a list of names. What is not a name is left out. */
export function nameListSetting(section: string, name: RegExp): ClientSetting<readonly string[]> {
  const isName = (value: unknown): value is string =>
    typeof value === "string" && value.length <= 300 && name.test(value);
  return new ClientSetting(section, (value) => {
    const given: readonly unknown[] = Array.isArray(value) ? value : [];
    const names = given.filter(isName).slice(0, MAX_NAMES);
    const wrong = given.filter((one) => !isName(one));
    if (wrong.length === 0) return { value: names };
    const listed = wrong.map((one) => JSON.stringify(one)?.slice(0, 60)).slice(0, 3);
    return { value: names, problem: `The setting ${section} has entries that are ignored: ${listed.join(", ")}.` };
  });
}
