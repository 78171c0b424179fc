import assert from "node:assert/strict";
import { test } from "node:test";
import { proxyFor } from "./proxy-address.ts";

const settings = {
  proxy: "http://proxy.example:3128",
  useProxy: true,
  authorization: "",
  strictSsl: true,
  systemCertificates: true,
};

test("an IPv6 address is excepted from the proxy, with or without brackets and port", () => {
  const isProxied = (exception: string): boolean =>
    proxyFor(new URL("http://[fd00::1]:8080/v1"), { ...settings, noProxy: [exception] }) !== undefined;
  for (const exception of ["[fd00::1]", "[fd00::1]:8080", "fd00::1", "FD00:0::1"])
    assert.equal(isProxied(exception), false, exception);
  for (const exception of ["[fd00::1]:80", "fd00::2", "fd00::"]) assert.equal(isProxied(exception), true, exception);
});
