/** What older versions called `fix` in the data of a model error (until 0.3.0). Their events are stored, and still read. */
export const FIX_UNTIL_0_3 = "mend";
