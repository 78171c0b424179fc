/** How requests reach the network, as VS Code's settings `http.*` say. */
export interface NetworkSettings {
  /** The address of the proxy, perhaps with a user name and password. Empty: that of the environment, if any. */
  readonly proxy: string;
  /** False: no proxy is used, neither this one nor the environment's. */
  readonly useProxy: boolean;
  /** Hosts that are reached without the proxy. Empty: those of the environment's NO_PROXY. */
  readonly noProxy: readonly string[];
  /** The header `Proxy-Authorization`; empty for the user name and password of the proxy's address. */
  readonly authorization: string;
  /** False: certificates are not checked. */
  readonly strictSsl: boolean;
  /** Whether the certificates of the operating system are trusted too. */
  readonly systemCertificates: boolean;
}
