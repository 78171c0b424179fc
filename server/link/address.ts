/** Where a link is, and how it is used. */
export interface LinkAddress {
  /** What the user knows it by: the servers and the space, without the password. */
  readonly name: string;
  /** Host names with ports. */
  readonly servers: readonly string[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The first part of all subjects. */
  readonly space: string;
  /** After how many milliseconds without a sign of another process that one counts as lost. */
  readonly silence: number;
  /** A file with the credentials of a user of NATS (JWT and key). */
  readonly credentials: string | undefined;
  /** Undefined where the link may be in plain text. The files are PEM. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string } | undefined;
  /** Why what is sent could be read on the way; undefined where it cannot be, or does not leave the computer. */
  readonly warning: string | undefined;
}

const PORT = "4222";
/** In seconds. */
const SILENCE = 5;
const [SHORTEST, LONGEST] = [1, 600];
const SPACE = /^[a-z][a-z0-9_]{0,39}$/;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const PARAMETERS = ["space", "silence", "creds", "ca", "cert", "key"];

/** Whether a text is meant as the address of a link. */
const isLinkAddress = (text: string): boolean => /^(nats|tls):\/\//.test(text);

/**
 * Reads the address of a link: `nats://user:password@host:port` or, with TLS, `tls://…`. A user without a password is
 * a token. Its parameters are `space` (the name of what is shared, `gavel` if left out), `silence` (seconds), `creds`
 * (a file of credentials) and, for TLS, `ca`, `cert` and `key` (PEM files). Further servers of a cluster are written
 * after commas.
 * @throws Error with one sentence for one that cannot be used; it does not repeat the password.
 */
export function linkAddress(text: string): LinkAddress {
  const [first = "", ...others] = (text.split("?", 1)[0] ?? "").split(",");
  const query = text.slice((text.split("?", 1)[0] ?? "").length);
  const url = URL.parse(`${first}${query}`);
  if (url === null || !isLinkAddress(text) || url.hostname === "" || !others.every(isServer))
    throw new Error("The link is not an address like nats://user:password@host:4222; correct it.");
  const { searchParams: parameters } = url;
  const servers = [`${url.hostname}:${url.port || PORT}`, ...others.map(withPort)];
  const space = parameters.get("space") ?? "gavel";
  const name = `${servers.join(", ")} (space "${space}")`;
  const unknown = [...parameters.keys()].find((parameter) => !PARAMETERS.includes(parameter));
  if (unknown !== undefined)
    throw new Error(`The address of the link ${name} has the parameter "${unknown}", which is not known; remove it.`);
  if (!SPACE.test(space))
    throw new Error(
      `The space "${space}" of the link is not a name; use up to 40 small letters, digits and underscores, a letter first.`,
    );
  const silence = Number(parameters.get("silence") ?? SILENCE);
  if (!(silence >= SHORTEST && silence <= LONGEST))
    throw new Error(`The silence of the link ${name} is not a number of seconds from ${SHORTEST} to ${LONGEST}.`);
  const isSafe = url.protocol === "tls:";
  const files = (["ca", "cert", "key"] as const).filter((file) => parameters.has(file));
  if (!isSafe && files.length > 0)
    throw new Error(`The address of the link ${name} has "${files[0]}" without TLS; begin it with tls://.`);
  const isLocal = servers.every((server) => LOOPBACK.test(server.slice(0, server.lastIndexOf(":"))));
  return {
    name,
    servers,
    user: decoded(url.username),
    password: decoded(url.password),
    space,
    silence: silence * 1000,
    credentials: parameters.get("creds") ?? undefined,
    tls: isSafe ? Object.fromEntries(files.map((file) => [file, parameters.get(file) ?? ""])) : undefined,
    warning:
      isSafe || isLocal
        ? undefined
        : `The link ${name} is reached without TLS: what your teams say and do can be read and changed on the way. Begin its address with tls://.`,
  };
}

const isServer = (text: string): boolean => URL.parse(`nats://${text}`)?.host === text.toLowerCase();

const withPort = (server: string): string => (/:\d+$/.test(server) ? server : `${server}:${PORT}`);

const decoded = (text: string): string | undefined => (text === "" ? undefined : decodeURIComponent(text));
