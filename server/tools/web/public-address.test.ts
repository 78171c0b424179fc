import assert from "node:assert/strict";
import { test } from "node:test";
import { isPublicAddress } from "./public-address.ts";

test("addresses of the public internet are public", () => {
  for (const address of ["1.1.1.1", "8.8.8.8", "172.32.0.1", "192.169.0.1", "2606:4700::1111", "2a00:1450:4001::200e"])
    assert.ok(isPublicAddress(address), address);
});

test("addresses of this machine, of private networks and of clouds' metadata are not", () => {
  const v4 = ["127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"];
  const special = ["169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.0.8"];
  for (const address of [...v4, ...special]) assert.ok(!isPublicAddress(address), address);
});

test("no form of an IPv6 address hides where it leads", () => {
  const local = [
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd12:3456::1",
    "fec0::1",
    "ff02::1",
    "::ffff:127.0.0.1",
  ];
  const leading = ["::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe"];
  const tunnels = ["64:ff9b:1::1", "2002:7f00:1::", "2001:0:7f00::1", "2001:db8::1", "fd00:ec2::254"];
  for (const address of [...local, ...leading, ...tunnels]) assert.ok(!isPublicAddress(address), address);
  assert.ok(isPublicAddress("64:ff9b::808:808"));
});

test("what is no address is not public", () => {
  for (const text of ["", "example.com", "127.1", "0x7f.1", "[::1]"]) assert.ok(!isPublicAddress(text), text);
});
