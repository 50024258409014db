export type Json = Readonly<Record<string, unknown>>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function lower(value: unknown): string {
  return textOf(value).toLowerCase();
}

export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);
export const isNewUuid = (value: unknown): value is string => typeof value === 'string' && UUID_7.test(value);
export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && EVM_ADDRESS.test(value);

export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string' || !TIMESTAMP.test(value)) return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
}

/** A JSON null for an optional field means that it is left out. */
export function withoutNulls(value: Json): Json {
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) if (field !== null) kept[name] = field;
  return kept;
}

export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) result[key] = sorted(value[key]);
  return result;
}

export function sameJson(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return canonical(one) === canonical(other);
}

const PLAIN = /^(?:0|[1-9]\d*)(?:\.(\d+))?$/;
const LOOSE = /^\d+(?:\.\d+)?$/;

export function units(text: unknown, decimals: number): bigint | null {
  if (typeof text !== 'string') return null;
  const match = PLAIN.exec(text);
  if (match === null) return null;
  const fraction = match[1] ?? '';
  if (fraction.length > decimals) return null;
  return BigInt(text.replace('.', '') + '0'.repeat(decimals - fraction.length));
}

/** An amount as a minus may stand before it: a reversal's. */
export function signedUnits(text: unknown, decimals: number): bigint | null {
  if (typeof text !== 'string' || !text.startsWith('-')) return units(text, decimals);
  const amount = units(text.slice(1), decimals);
  return amount === null ? null : -amount;
}

export function decimal(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return (amount < 0n ? '-' : '') + whole + (fraction === '' ? '' : `.${fraction}`);
}

/** How far a text is an amount that a request may name: `open` where the documents do not say. */
export function requestedAmount(text: unknown, decimals: number): bigint | 'refused' | 'open' {
  const amount = units(text, decimals);
  if (amount !== null) return amount > 0n ? amount : 'refused';
  if (typeof text !== 'string') return 'refused';
  if (!LOOSE.test(text)) return 'refused';
  // Leading zeros, or a fraction whose last digits are zeros beyond those of the asset.
  const [, fraction = ''] = text.split('.');
  return /[1-9]/.test(fraction.slice(decimals)) ? 'refused' : 'open';
}

export function feeOf(gross: bigint, basisPoints: number): bigint {
  return (gross * BigInt(basisPoints)) / 10_000n;
}
