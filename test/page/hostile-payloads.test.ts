import { isLarge, testPayloads } from "./payload-tests.ts";

testPayloads((about) => !isLarge(about));
