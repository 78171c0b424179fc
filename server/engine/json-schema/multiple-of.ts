/** Whether a number is a multiple of another one, both as the decimals that they are written as: 0.3 is one of 0.1. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(divisor) || divisor <= 0) return false;
  const [digits, exponent] = decimal(value);
  const [divisorDigits, divisorExponent] = decimal(divisor);
  // At most 650 digits, since the exponents of numbers are between -324 and 308.
  const shift = BigInt(Math.abs(exponent - divisorExponent));
  return exponent >= divisorExponent
    ? (digits * 10n ** shift) % divisorDigits === 0n
    : digits % (divisorDigits * 10n ** shift) === 0n;
}

/** A number as whole digits and a power of ten. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [written = "", power = "0"] = Math.abs(value).toString().split("e");
  const [whole = "", fraction = ""] = written.split(".");
  return [BigInt(whole + fraction), Number(power) - fraction.length];
}
