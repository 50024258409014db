// @ts-check
// Amounts as whole numbers of smallest units, and as people write them.

/** Smallest units as people write them. @param {bigint} units @param {number} decimals */
export function formatUnits(units, decimals) {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction ? `${whole}.${fraction}` : whole;
}

/** @param {string} text a decimal string @param {number} decimals @returns {bigint | undefined} undefined for anything else */
export function parseUnits(text, decimals) {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (!match || fraction.length > decimals) return undefined;
  return BigInt(match[1] + fraction.padEnd(decimals, '0'));
}
