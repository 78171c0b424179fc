/**
 * Splits a bill by weight: a friend of weight 2 pays twice as much as a friend of weight 1.
 * Returns what each one pays, in cents and in the order of the weights. Together they pay the bill.
 */
export function split(cents, weights) {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) throw new Error("Someone has to pay; give at least one weight above zero.");
  return weights.map((weight) => Math.round((cents * weight) / total));
}
