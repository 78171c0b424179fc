import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLink } from "./command-link.ts";

test("the argument of a command's link cannot end the link, and arrives as it was", () => {
  const ref = `x) [y](command:z?"!'*") \n%20`;
  const link = commandLink("gavel.show", { ref });
  assert.match(link, /^command:gavel\.show\?[\w%.~-]+$/);
  assert.deepEqual(JSON.parse(decodeURIComponent(link.slice(link.indexOf("?") + 1))), [{ ref }]);
});
