export type Json = Readonly<Record<string, unknown>>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one where it is none. */
export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);
export const isNewUuid = (value: unknown): value is string => typeof value === 'string' && UUID_7.test(value);
export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && EVM_ADDRESS.test(value);

/** Milliseconds of an ISO 8601 UTC timestamp with milliseconds. @returns null where it is none */
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

/** JSON without spaces, keys sorted at every level. */
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
