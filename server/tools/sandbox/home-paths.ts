import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { existingPaths } from "./existing-paths.ts";

/** Keys, logins and histories, relative to the home folder. */
const SECRETS = `
.ssh .aws .azure .gnupg .kube .docker .netrc _netrc .git-credentials .pypirc .pgpass .my.cnf .mylogin.cnf .vault-token .boto .s3cfg
.password-store .databrickscfg .kaggle .huggingface .terraform.d/credentials.tfrc.json .terraformrc .config/gcloud .config/gh
.config/glab-cli .config/hub .config/git/credentials .config/rclone .config/doctl .config/op .config/heroku .config/netlify
.config/configstore .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .mozilla .thunderbird
.local/share/keyrings .local/share/kwalletd .cargo/credentials .cargo/credentials.toml .gem/credentials .composer/auth.json
.config/composer/auth.json .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .nuget/NuGet.Config
.cache/huggingface/token .yarnrc.yml .bash_history .zsh_history .sh_history .python_history .node_repl_history .psql_history
.mysql_history .sqlite_history .lesshst .viminfo .claude .codex .gemini .config/github-copilot
.Xauthority .ICEauthority .1password .op .config/containers/auth.json .config/sops .config/age .fly .oci .aliyun
.config/hcloud .config/scw .config/linode-cli .pulumi/credentials.json .local/share/com.vercel.cli .config/stripe .supabase
.sentryclirc .snowflake .snowsql .dbt/profiles.yml .ollama/id_ed25519 .anthropic .config/anthropic .config/openai .local/share/opencode
.config/solana .ethereum .bitcoin .electrum .config/Signal .config/discord .config/Slack .config/filezilla
.local/share/fish/fish_history .config/Code/User/globalStorage .config/VSCodium/User/globalStorage
.config/Cursor/User/globalStorage
Library/Keychains Library/Cookies
`
  .trim()
  .split(/\s+/);

/** Folders in which package managers keep what they download: the variable that names one, and where it is otherwise. */
const CACHES: readonly (readonly [variable: string | undefined, ...paths: string[]])[] = [
  ["npm_config_cache", ".npm"],
  ["XDG_CACHE_HOME", ".cache"],
  ["YARN_CACHE_FOLDER", ".yarn/berry", ".yarn/cache", ".yarn-cache"],
  ["npm_config_store_dir", ".local/share/pnpm/store", ".pnpm-store"],
  ["BUN_INSTALL_CACHE_DIR", ".bun/install/cache"],
  ["DENO_DIR"],
  ["PIP_CACHE_DIR"],
  ["UV_CACHE_DIR"],
  ["CONDA_PKGS_DIRS"],
  ["GOMODCACHE", "go/pkg/mod"],
  ["GOCACHE"],
  [undefined, ".cargo/registry", ".cargo/git"],
  [undefined, ".m2/repository"],
  [undefined, ".gradle/caches"],
  ["NUGET_PACKAGES", ".nuget/packages", ".local/share/NuGet"],
  ["COMPOSER_CACHE_DIR", ".composer/cache"],
  ["PUB_CACHE", ".pub-cache"],
  [undefined, "Library/Caches"],
];

/** Created when missing, so that the first install works; npm and most others keep their caches there. */
const CREATED = [".npm", ".cache"];

/** The files and folders in a home folder that hold secrets. */
export function secretsIn(home: string): Promise<readonly string[]> {
  return existingPaths(SECRETS.map((path) => join(home, path)));
}

/** The package caches of a user. Those of npm and `~/.cache` are created when there are none. */
export async function packageCaches(
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  await Promise.all(CREATED.map((path) => mkdir(join(home, path), { recursive: true }).catch(() => undefined)));
  const named = CACHES.flatMap(([variable, ...paths]) => {
    const set = variable === undefined ? undefined : environment[variable];
    return [...(set?.startsWith("/") ? [set] : []), ...paths.map((path) => join(home, path))];
  });
  const cargo = environment["CARGO_HOME"];
  const go = environment["GOPATH"];
  const gradle = environment["GRADLE_USER_HOME"];
  const more = [
    ...(cargo?.startsWith("/") ? [join(cargo, "registry"), join(cargo, "git")] : []),
    ...(go?.startsWith("/") ? [join(go, "pkg", "mod")] : []),
    ...(gradle?.startsWith("/") ? [join(gradle, "caches")] : []),
  ];
  return (await existingPaths([...named, ...more])).filter((path) => path !== "/" && path !== home);
}

/** Settings of `.npmrc` that are secret, or that a proxy inside the sandbox replaces. */
const LEFT_OUT_OF_NPMRC =
  /_auth|_password|username|email|certfile|keyfile|(?:^|[:\s])(?:key|otp|token|https?-proxy|proxy|noproxy)\s*=/i;

/** The user's `.npmrc` without logins; undefined if there is none. Registries and scopes stay, as an install needs them. */
export async function npmrcWithoutLogins(home: string): Promise<string | undefined> {
  const text = await readFile(join(home, ".npmrc"), "utf8").catch(() => undefined);
  return text
    ?.split("\n")
    .filter((line) => !LEFT_OUT_OF_NPMRC.test(line))
    .join("\n");
}
