import tls from "node:tls";

/** Whether this Node can change what it trusts: 22.19, 24.5 and newer. */
const canChange = "setDefaultCACertificates" in tls;

/**
 * Trust in the certificates of the operating system, for every new connection of this process. They are read only when a
 * certificate is not trusted without them, as that takes up to a tenth of a second.
 */
export class SystemCertificates {
  /** What was trusted before: Node's own certificates and those of NODE_EXTRA_CA_CERTS. */
  #before: readonly string[] | undefined;

  get areTrusted(): boolean {
    return this.#before !== undefined;
  }

  /** Returns whether they are trusted now. */
  trust(): boolean {
    if (this.areTrusted || !canChange) return this.areTrusted;
    const system = tls.getCACertificates("system");
    this.#before = tls.getCACertificates("default");
    tls.setDefaultCACertificates([...this.#before, ...system]);
    return true;
  }

  distrust(): void {
    if (this.#before === undefined) return;
    tls.setDefaultCACertificates(this.#before);
    this.#before = undefined;
  }
}
