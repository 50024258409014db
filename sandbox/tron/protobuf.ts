/** The type of a field: its JSON form is hexadecimal digits, a number, a string, a boolean, a name or an object. */
export type FieldType = 'bytes' | 'int64' | 'string' | 'bool' | EnumType | MessageType;
export interface EnumType {
  readonly names: Readonly<Record<string, number>>;
}
export interface MessageType {
  /** In the order of their numbers, in which they are encoded. */
  readonly fields: readonly Field[];
}
export interface Field {
  readonly number: number;
  readonly name: string;
  readonly type: FieldType;
  readonly repeated?: boolean;
}

export type Json = Record<string, unknown>;

const VARINT = 0;
const LENGTH_DELIMITED = 2;

export class InvalidMessage extends Error {
  override name = 'InvalidMessage';
}

/** Fields with the default value are omitted (proto3). Ignores fields that the message does not have. */
export function encodeMessage({ fields }: MessageType, json: Json): Buffer {
  return Buffer.concat(
    fields.flatMap((field) => {
      const value = json[field.name];
      if (value === undefined || value === null) return [];
      const values = field.repeated === true ? (value as unknown[]) : [value];
      return values.map((each) => encodeField(field, each));
    }),
  );
}

function encodeField({ number, name, type, repeated = false }: Field, value: unknown): Buffer {
  if (type === 'int64' || type === 'bool' || (typeof type === 'object' && 'names' in type)) {
    const integer = integerOf(name, type, value);
    return integer === 0n ? Buffer.alloc(0) : Buffer.concat([tag(number, VARINT), varint(integer)]);
  }
  const isMessage = typeof type === 'object';
  const bytes = isMessage ? encodeMessage(type, value as Json) : bytesOf(name, type, value);
  if (bytes.length === 0 && !isMessage && !repeated) return Buffer.alloc(0);
  return Buffer.concat([tag(number, LENGTH_DELIMITED), varint(BigInt(bytes.length)), bytes]);
}

function integerOf(name: string, type: FieldType, value: unknown): bigint {
  if (typeof type === 'object' && 'names' in type) {
    // Clients spell the types of an ABI's entries in lower case.
    const named = Object.entries(type.names).find(
      ([each]) => each.toLowerCase() === String(value).toLowerCase(),
    );
    const known = typeof value === 'number' ? value : named?.[1];
    if (known === undefined) throw new InvalidMessage(`${name}: ${String(value)} is unknown`);
    return BigInt(known);
  }
  if (type === 'bool') return value === true ? 1n : 0n;
  try {
    return BigInt(value as number | string);
  } catch {
    throw new InvalidMessage(`${name} is not an integer`);
  }
}

function bytesOf(name: string, type: FieldType, value: unknown): Buffer {
  const text = String(value);
  if (type === 'string') return Buffer.from(text, 'utf8');
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(text)) throw new InvalidMessage(`${name} is not hexadecimal`);
  return Buffer.from(text, 'hex');
}

/** Skips fields that the message does not have. */
export function decodeMessage({ fields }: MessageType, bytes: Buffer): Json {
  const json: Json = {};
  for (const { number, value } of readFields(bytes)) {
    const field = fields.find((each) => each.number === number);
    if (field === undefined) continue;
    const decoded = decodeValue(field, value);
    if (field.repeated === true) json[field.name] = [...((json[field.name] as unknown[]) ?? []), decoded];
    else json[field.name] = decoded;
  }
  return json;
}

function decodeValue({ name, type }: Field, value: bigint | Buffer): unknown {
  if (typeof value === 'bigint') {
    if (type === 'bool') return value !== 0n;
    if (typeof type === 'object' && 'names' in type)
      return Object.entries(type.names).find(([, each]) => BigInt(each) === value)?.[0] ?? Number(value);
    return Number(BigInt.asIntN(64, value));
  }
  if (type === 'string') return value.toString('utf8');
  if (type === 'bytes') return value.toString('hex');
  if (typeof type === 'object' && 'fields' in type) return decodeMessage(type, value);
  throw new InvalidMessage(`${name} has the wrong wire type`);
}

function* readFields(bytes: Buffer): Generator<{ number: number; value: bigint | Buffer }> {
  let at = 0;
  const readVarint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined || shift > 63n) throw new InvalidMessage('a varint does not end');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(readVarint());
    const number = key >>> 3;
    if ((key & 7) === VARINT) {
      yield { number, value: readVarint() };
      continue;
    }
    if ((key & 7) !== LENGTH_DELIMITED) throw new InvalidMessage(`wire type ${key & 7} is unknown`);
    const length = Number(readVarint());
    if (at + length > bytes.length) throw new InvalidMessage('a field is longer than its message');
    yield { number, value: bytes.subarray(at, at + length) };
    at += length;
  }
}

function tag(number: number, wireType: number): Buffer {
  return varint(BigInt((number << 3) | wireType));
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let left = BigInt.asUintN(64, value); ; left >>= 7n) {
    if (left < 0x80n) return Buffer.from([...bytes, Number(left)]);
    bytes.push(Number(left & 0x7fn) | 0x80);
  }
}
