import assert from "node:assert/strict";
import { it } from "node:test";
import { postgresAddress } from "./address.ts";

it("an address names a server, a database and a space, and never shows its password", () => {
  const address = postgresAddress("postgres://eve:secret@db.example:5433/teams?sslmode=verify-full&space=web&lease=30");
  assert.deepEqual(
    { ...address, url: address.url.includes("secret") },
    {
      name: 'db.example:5433/teams (space "web")',
      url: true,
      schema: "gavel_web",
      lease: 30_000,
      warning: undefined,
    },
  );
  assert.doesNotMatch(address.url, /space|lease/);
  assert.equal(postgresAddress("postgres://localhost/teams").schema, "gavel");
});

it("what leaves the computer in plain text is warned of", () => {
  const warned = /without TLS that is checked: .* sslmode=verify-full/;
  assert.match(postgresAddress("postgres://db.example/teams").warning ?? "", warned);
  for (const mode of ["disable", "allow", "no-verify"])
    assert.match(postgresAddress(`postgres://db.example/teams?sslmode=${mode}`).warning ?? "", warned, mode);
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    assert.equal(postgresAddress(`postgres://${host}/teams`).warning, undefined);
});

it("one that cannot be used is a StorageError that says what to do", () => {
  const wrong = {
    "postgres://": /not an address like postgres:\/\/user:password@host:5432\/database/,
    "postgres://h/d?space=A b": /The space "A b" of the store is not a name/,
    "postgres://h/d?space=x;drop": /is not a name/,
    "postgres://h/d?options=-c%20search_path=other": /parameter "options", which is not known; remove it/,
    "postgres://localhost/d?host=elsewhere": /parameter "host"/,
    "postgres://h/d?lease=0": /lease of the store .* from 1 to 600/,
    "postgres://h/d?lease=long": /lease of the store/,
  };
  for (const [text, message] of Object.entries(wrong)) assert.throws(() => postgresAddress(text), { message }, text);
  assert.throws(
    () => postgresAddress("postgres://eve:secret@h/d?space=-"),
    ({ message }: Error) => !message.includes("secret"),
  );
});
