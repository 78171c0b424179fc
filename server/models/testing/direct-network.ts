import { Network } from "../network/network.ts";

/** The network of a user without a proxy. */
export const directNetwork = new Network(async () => ({
  proxy: "",
  useProxy: false,
  noProxy: [],
  authorization: "",
  strictSsl: true,
  systemCertificates: false,
}));
