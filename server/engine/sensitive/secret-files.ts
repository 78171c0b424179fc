import type { PathEntry } from "./path-table.ts";

/** Files that hold passwords, keys or tokens. */
export interface SecretFiles extends PathEntry {
  /** What they hold: the end of a sentence that starts with the file's name. */
  readonly why: string;
  /** Package managers need the settings in it, so that commands in a sandbox need to read it. */
  readonly hasSettings?: true;
}

/**
 * The files that are left out of searches, and that only the user's approval, or a rule that names exactly the file, lets a
 * tool read or write.
 */
export const SECRET_FILES: readonly SecretFiles[] = [
  {
    why: "environment files hold passwords and keys",
    paths: [".env*", "*.env", ".dev.vars*", ".renviron"],
    // Templates without values.
    except: [
      ".env*.{example,sample,template,tmpl,dist,defaults,schema}",
      ".env{-,_,.}{example,sample,template,tmpl,dist,defaults,schema}",
      "{example,sample,template}.env",
      "*.{example,sample,template}.env",
    ],
  },
  {
    why: "it is, or holds, a private key",
    paths: [
      "*.{pem,key,p8,p12,pfx,jks,keystore,ppk,kdb,kdbx,agekey}",
      "id_{rsa,dsa,ecdsa,ed25519,ecdsa_sk,ed25519_sk}*",
      ".ssh",
      ".gnupg",
      ".password-store",
    ],
  },
  { why: "package managers keep tokens in it", hasSettings: true, paths: [".npmrc"] },
  {
    why: "it holds logins and tokens",
    paths: [
      ".netrc",
      "_netrc",
      ".pypirc",
      ".git-credentials",
      ".config/git/credentials",
      ".aws",
      ".azure",
      ".config/{gcloud,gh,hub,glab-cli,doctl,github-copilot}",
      ".docker/config.json",
      ".dockercfg",
      ".kube/config",
      "{,*.}kubeconfig{,.yml,.yaml}",
      ".cargo/credentials{,.toml}",
      ".gem/credentials",
      ".m2/settings*.xml",
      ".gradle/gradle.properties",
      ".composer/auth.json",
      ".terraformrc",
      "terraform.rc",
      "credentials.tfrc.json",
      "*.tfstate{,.*}",
      "*.tfvars{,.json}",
      ".vault-token",
      ".pgpass",
      "pgpass.conf",
      ".my.cnf",
      ".mylogin.cnf",
      ".s3cfg",
      ".boto",
      ".htpasswd",
      ".{claude,codex}/{.credentials,auth}.json",
      ".claude.json",
    ],
  },
  {
    why: "it holds credentials of an account or service",
    paths: [
      "{,.}credentials.{json,yml,yaml,toml,xml,ini,csv}",
      "{,.}secrets.{json,yml,yaml,toml}",
      "client_secret*.json",
      "*service{-,_,}account*.json",
      "*-firebase-adminsdk-*.json",
      "application_default_credentials.json",
      "master.key",
    ],
  },
  { why: "on Windows it may be the short name of another file", paths: ["?*~[0-9]", "?*~[0-9].*"] },
];
