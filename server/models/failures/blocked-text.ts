import type { Endpoint } from "../endpoint/endpoint.ts";
import type { NetworkProblem } from "../network/network-error.ts";

/** Whether the same request may succeed later. */
export const isPassing = (problem: NetworkProblem): boolean =>
  problem.kind === "proxyUnreachable" || (problem.kind === "proxyRefused" && problem.status >= 500);

/** Why nothing was sent, in a few words. */
export function blockedReason(problem: NetworkProblem, { host }: Pick<Endpoint, "host">): string {
  switch (problem.kind) {
    case "proxyUnreachable":
      return `could not connect to the proxy ${problem.proxy}${inParentheses(problem.code)}`;
    case "proxyRefused":
      return `the proxy ${problem.proxy} answered ${problem.status}`;
    case "proxyInvalid":
      return "the address of the proxy is not valid";
    case "certificate":
      return `the certificate of ${problem.proxy ?? host} was not accepted (${problem.code})`;
    default:
      return problem satisfies never;
  }
}

/** Why nothing was sent, and what to do, as one sentence. */
export function blockedSentence(problem: NetworkProblem, { host, model }: Endpoint): string {
  switch (problem.kind) {
    case "proxyUnreachable":
      return `Could not connect to the proxy ${problem.proxy}${inParentheses(problem.code)}, through which ${host} is reached; check ${PROXY}, or add ${host} to \`http.noProxy\`.`;
    case "proxyRefused":
      return refusedSentence(problem.proxy, problem.status, host);
    case "proxyInvalid":
      return `The address of the proxy is not valid, so nothing was sent to ${host}; correct ${PROXY}, for example \`http://proxy.example.com:8080\`.`;
    case "certificate":
      return certificateSentence(problem, host, model);
    default:
      return problem satisfies never;
  }
}

/** Where users name a proxy. */
const PROXY = "the setting `http.proxy` or the HTTPS_PROXY of the environment";

function refusedSentence(proxy: string, status: number, host: string): string {
  if (status === 407)
    return `The proxy ${proxy} requires a sign-in (407); add the user name and password to the address in the setting \`http.proxy\`, or set \`http.proxyAuthorization\`.`;
  if (status >= 500)
    return `The proxy ${proxy} could not reach ${host} (${status}); check that address, or add ${host} to \`http.noProxy\` if it is in your own network.`;
  return `The proxy ${proxy} does not allow connections to ${host} (${status}); ask your administrator to allow it, or add it to \`http.noProxy\`.`;
}

function certificateSentence(
  { proxy, code, isUntrusted }: Extract<NetworkProblem, { readonly kind: "certificate" }>,
  host: string,
  model: string,
): string {
  const whose = proxy === undefined ? host : `the proxy ${proxy}`;
  return isUntrusted
    ? `The certificate of ${whose} is not trusted (${code}), so nothing was sent to ${model}; add your organization's certificate to those of the operating system, or name its file in NODE_EXTRA_CA_CERTS and restart VS Code.`
    : `The certificate of ${whose} is not valid (${code}), so nothing was sent to ${model}; ask whoever runs it for a valid one, or correct the address.`;
}

const inParentheses = (code: string): string => (code === "" ? "" : ` (${code})`);
