import assert from "node:assert/strict";
import { test } from "node:test";
import { isSecretVariable, valuesInFiles } from "./environment-files.ts";

const files: Readonly<Record<string, string>> = {
  "/s/store": "postgres://gavel:password@db/gavel\n",
  "/s/key": " sk-1 \r\n",
  "/s/empty": "\n",
  "/s/two": "one\ntwo\n",
};

function read(path: string): string {
  const text = files[path];
  if (text === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
  return text;
}

test("an address and a provider's key may be in files, without the line's end", () => {
  const variables = { PATH: "/bin", GAVEL_STORE_FILE: "/s/store", OPENAI_API_KEY_FILE: "/s/key", GAVEL_LINK_FILE: "" };
  assert.deepEqual(valuesInFiles(variables, read), {
    GAVEL_STORE: "postgres://gavel:password@db/gavel",
    OPENAI_API_KEY: "sk-1",
  });
});

test("a key that a team file names is no file, whatever its name is", () => {
  assert.deepEqual(valuesInFiles({ GAVEL_KEY_MY_FILE: "/s/none" }, read), {});
});

test("what is wrong with a file is said in one sentence, without what is in it", () => {
  const sentence = (variables: Record<string, string>): string => {
    try {
      valuesInFiles(variables, read);
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };
  assert.deepEqual(
    [
      sentence({ GAVEL_STORE_FILE: "/s/none" }),
      sentence({ GAVEL_LINK_FILE: "/s/empty" }),
      sentence({ GAVEL_HOST_TOKEN_FILE: "/s/two" }),
      sentence({ GAVEL_STORE_FILE: "/s/store", GAVEL_STORE: "postgres://db" }),
    ],
    [
      "/s/none, which GAVEL_STORE_FILE names, cannot be read (ENOENT); make that file readable, or unset GAVEL_STORE_FILE.",
      "/s/empty, which GAVEL_LINK_FILE names, is empty; write the value of GAVEL_LINK into it.",
      "/s/two, which GAVEL_HOST_TOKEN_FILE names, has several lines; write the value of GAVEL_HOST_TOKEN alone into it.",
      "GAVEL_STORE and GAVEL_STORE_FILE are both set; unset one of them.",
    ],
  );
});

test("secret are the addresses, the token, and where files with secrets are", () => {
  const names = ["GAVEL_STORE", "GAVEL_LINK_FILE", "OPENAI_API_KEY_FILE", "GAVEL_HOST_TOKEN", "PATH", "GAVEL_MODEL"];
  assert.deepEqual(names.map(isSecretVariable), [true, true, true, true, false, false]);
});
