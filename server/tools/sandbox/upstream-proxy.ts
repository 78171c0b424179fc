/** The proxy that this machine uses for the web. */
interface UpstreamProxy {
  readonly target: { readonly host: string; readonly port: number };
  /** For requests to it. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The proxy that the host's environment names for that host; undefined for a direct connection. */
export function upstreamProxy(
  scheme: "http" | "https",
  host: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): UpstreamProxy | undefined {
  const variable = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const url = URL.parse(variable(`${scheme.toUpperCase()}_PROXY`) ?? variable("ALL_PROXY") ?? "");
  if (url?.protocol !== "http:" || isExcepted(host, variable("NO_PROXY") ?? "")) return undefined;
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    target: { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 80) },
    headers: url.username === "" ? {} : { "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}` },
  };
}

/** Loopback is never reached through a proxy. `NO_PROXY` has names that stand for themselves and their subdomains. */
function isExcepted(host: string, noProxy: string): boolean {
  const name = host.toLowerCase();
  if (name === "localhost" || name === "::1" || name.startsWith("127.")) return true;
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .map((entry) => entry.replace(/^\*?\./, "").replace(/:\d+$/, ""))
    .some((entry) => entry === "*" || (entry !== "" && (name === entry || name.endsWith(`.${entry}`))));
}
