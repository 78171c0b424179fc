import type { NetworkSettings } from "../../models/index.ts";
import { ClientSetting } from "./client-settings.ts";

const text = (section: string): ClientSetting<string> =>
  new ClientSetting(section, (value) => ({ value: typeof value === "string" ? value.trim() : "" }));

const flag = (section: string): ClientSetting<boolean> =>
  new ClientSetting(section, (value) => ({ value: value !== false }));

/**
 * VS Code's own settings of the network. A proxy's address and authorization may be secrets: they are kept in memory only,
 * and no problem with them repeats their text.
 */
export class NetworkSettingsOfClient {
  readonly #proxy = text("http.proxy");
  readonly #support = text("http.proxySupport");
  readonly #authorization = text("http.proxyAuthorization");
  readonly #strictSsl = flag("http.proxyStrictSSL");
  readonly #systemCertificates = flag("http.systemCertificates");
  readonly #noProxy = new ClientSetting<readonly string[]>("http.noProxy", (value) => ({
    value: (Array.isArray(value) ? value : []).filter((one): one is string => typeof one === "string" && one !== ""),
  }));
  readonly settings = [
    this.#proxy,
    this.#support,
    this.#authorization,
    this.#strictSsl,
    this.#systemCertificates,
    this.#noProxy,
  ] as const;
  #last: NetworkSettings | undefined;

  /** The last known values: the same object until one of them changes. */
  get value(): NetworkSettings {
    const value = {
      proxy: this.#proxy.value,
      useProxy: this.#support.value !== "off",
      noProxy: this.#noProxy.value,
      authorization: this.#authorization.value,
      strictSsl: this.#strictSsl.value,
      systemCertificates: this.#systemCertificates.value,
    };
    if (this.#last === undefined || JSON.stringify(value) !== JSON.stringify(this.#last)) this.#last = value;
    return this.#last;
  }
}
