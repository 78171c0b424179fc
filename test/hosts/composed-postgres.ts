import { chownSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProcess } from "../../scripts/run-process.ts";
import { Postgres, query } from "../servers/postgres.ts";
import { service } from "./compose-file.ts";

/**
 * PostgreSQL as compose.yaml has it: the script that makes the database, who may connect, and TLS. `own` is the folder with
 * the files of the service. @throws one sentence where there is none.
 */
export async function composedPostgres(own: string): Promise<Postgres> {
  const postgres = await Postgres.start();
  const { username, password, hostname, port } = new URL(postgres.url);
  // What the image's own script gives to this one.
  const env = { PGHOST: hostname, PGPORT: port, PGPASSWORD: password, POSTGRES_USER: username };
  const script = join(own, "docker-entrypoint-initdb.d/make-database.sh");
  await runProcess("sh", [script], { env: { ...env, SECRETS: join(own, "run/secrets") } });
  const settings = new Map(service("postgres").command.flatMap((word) => settingIn(word)));
  const [{ hba_file: rules } = {}] = await query(postgres.url, "SHOW hba_file");
  if (typeof rules !== "string") throw new Error("PostgreSQL does not say where its rules are.");
  // Its user can read no other folder.
  const data = dirname(rules);
  const files = { ssl_cert_file: "run/secrets/postgres.pem", ssl_key_file: "run/secrets/postgres.key" };
  for (const [name, path] of Object.entries(files)) {
    const copy = join(data, `compose-${name}`);
    writeFileSync(copy, readFileSync(join(own, path)), { mode: 0o600 });
    const { uid, gid } = statSync(rules);
    chownSync(copy, uid, gid);
    settings.set(name, copy);
  }
  const statements = [...settings].flatMap(([name, value]) =>
    name === "hba_file" ? [] : [`ALTER SYSTEM SET ${name} = '${value}'`],
  );
  for (const statement of statements) await query(postgres.url, statement);
  writeFileSync(rules, readFileSync(join(own, "etc/postgresql/pg_hba.conf")));
  await query(postgres.url, "SELECT pg_reload_conf()");
  return postgres;
}

/** The setting in an argument of the server. */
const settingIn = (word: string): [string, string][] => {
  const [, name, value] = /^(\w+)=(.+)$/.exec(word) ?? [];
  return name === undefined || value === undefined ? [] : [[name, value]];
};
