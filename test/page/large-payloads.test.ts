import { isLarge, testPayloads } from "./payload-tests.ts";

testPayloads(isLarge);
