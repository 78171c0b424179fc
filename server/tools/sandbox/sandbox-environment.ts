/** Variables that lead to a proxy or an agent outside the sandbox. */
const REPLACED =
  /^(?:https?_proxy|all_proxy|ftp_proxy|no_proxy|npm_config_(?:https?_)?proxy|npm_config_noproxy|ssh_auth_sock|ssh_agent_pid)$/i;

/** A command's environment with the sandbox's proxy and temporary folder. */
export function sandboxEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  proxyPort: number,
  temp: string,
): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !REPLACED.test(name));
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const loopback = "localhost,127.0.0.1,::1";
  return {
    ...Object.fromEntries(kept),
    ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy },
    ...{ NO_PROXY: loopback, no_proxy: loopback, NODE_USE_ENV_PROXY: "1" },
    ...{ TMPDIR: temp, TMP: temp, TEMP: temp },
  };
}
