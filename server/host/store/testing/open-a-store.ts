import { Store } from "../store.ts";

// A process that opens a store in the folder that it is given, and leaves it open.
await new Store(process.argv[2]).ready();
process.stdout.write("ready\n");
