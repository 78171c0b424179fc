/** Why a request did not get as far as the endpoint. Of a proxy, only its host and port are kept. */
export type NetworkProblem =
  /** No connection to the proxy. `code` is the operating system's, such as ECONNREFUSED. */
  | { readonly kind: "proxyUnreachable"; readonly proxy: string; readonly code: string }
  /** The proxy answered the request for a connection with an error status. */
  | { readonly kind: "proxyRefused"; readonly proxy: string; readonly status: number }
  /** The address of the proxy is not one. It is not repeated, as it may hold a password. */
  | { readonly kind: "proxyInvalid" }
  | CertificateProblem;

/** A certificate is not accepted: the endpoint's, or that of the proxy `proxy`. `code` is that of TLS. */
export interface CertificateProblem {
  readonly kind: "certificate";
  readonly proxy?: string;
  readonly code: string;
  /** No authority that is known has issued it; else it has expired, or is for another host. */
  readonly isUntrusted: boolean;
}

/** Thrown in place of what Node throws, which may hold the credentials of a proxy. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  readonly problem: NetworkProblem;

  constructor(problem: NetworkProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

/** What OpenSSL says of a certificate that no known authority has issued. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

const INVALID: ReadonlySet<string> = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "INVALID_PURPOSE",
]);

/** The problem with a certificate behind a failed connection; undefined for any other failure. */
export function certificateProblem(thrown: unknown): CertificateProblem | undefined {
  const code = causesOf(thrown)
    .map(codeIn)
    .find((one) => UNTRUSTED.has(one) || INVALID.has(one));
  return code === undefined ? undefined : { kind: "certificate", code, isUntrusted: UNTRUSTED.has(code) };
}

/** The error code of the system or of TLS; empty if there is none. */
export function codeIn(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** What was thrown and what caused it, outermost first. */
export function causesOf(thrown: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let error = thrown; error instanceof Error && chain.length < 6; error = error.cause) chain.push(error);
  return chain;
}
