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

test("a host is excepted by its name or a domain around it, for one port or all, and `*` excepts every host", () => {
  const isProxied = (url: string, ...noProxy: readonly string[]): boolean =>
    proxyFor(new URL(url), { ...settings, noProxy }) !== undefined;
  for (const exception of [
    "models.example.com",
    ".example.com",
    "*.example.com",
    "example.com:443",
    " Example.COM ",
    "*",
  ])
    assert.equal(isProxied("https://models.example.com/v1", exception), false, exception);
  for (const exception of ["example.org", "dels.example.com", "example.com:80", "models.example.com.evil", ""])
    assert.equal(isProxied("https://models.example.com/v1", exception), true, exception);
});

test("this machine is never reached through a proxy, nor is anything when proxies are switched off", () => {
  for (const url of ["http://localhost:11434", "http://127.0.0.1:8080", "http://[::1]:8080"])
    assert.equal(proxyFor(new URL(url), { ...settings, noProxy: ["other.example.com"] }), undefined, url);
  const url = new URL("https://models.example.com");
  assert.equal(proxyFor(url, { ...settings, noProxy: ["other.example.com"], useProxy: false }), undefined);
  assert.equal(proxyFor(url, { ...settings, noProxy: ["other.example.com"] })?.href, "http://proxy.example:3128/");
});
