import type { AccessTokenSigningKey } from '#contexts/identity/infrastructure/identity-settings.js';
import type { NaspipKey } from '#contexts/payments/application/requests/payments-settings.js';
import { parseTime } from '#shared/kernel/instant.js';
import { type ScheduledSigningKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { isNaspipKeyName } from '#shared/naspip/naspip-token.js';
import { secretKeyFromPaserk } from '#shared/naspip/paserk.js';
import type { SigningKeyLists } from './signing-keys.js';

/** Never quotes the file, which contains secrets. */
export class InvalidSigningKeys extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join(' '));
    this.name = 'InvalidSigningKeys';
  }
}

const TOKEN_KEY_ID = /^[A-Za-z0-9._-]{1,32}$/;
const TOKEN_SECRET = /^[A-Za-z0-9_-]{43}$/;
const FIELDS_BY_KIND = {
  token: ['id', 'secret', 'signs_from', 'verifies_until'],
  naspip: ['id', 'secret_key', 'signs_from', 'expires_at'],
} as const;

type KeyKind = keyof typeof FIELDS_BY_KIND;
type KeyEntry = Readonly<Record<string, unknown>>;

/** @param isBeingMade true if a kind may still be without keys */
export function parseSigningKeys(text: string, isBeingMade = false): SigningKeyLists {
  const problems: string[] = [];
  const document = parseJsonObject(text);
  if (document === undefined) throw new InvalidSigningKeys(['It is not a JSON object.']);
  for (const name of Object.keys(document)) {
    if (!Object.hasOwn(FIELDS_BY_KIND, name)) problems.push('It has a member other than token and naspip.');
  }
  const listed = (kind: KeyKind) => {
    const keys = readKeysOfKind(document, kind, problems);
    if (keys.length === 0 && !isBeingMade) problems.push(`${kind} must be a list of at least one key.`);
    return keys;
  };
  const token = listed('token').map(([key, name]) => readTokenKey(key, name, problems));
  const naspip = listed('naspip').map(([key, name]) => readNaspipKey(key, name, problems));
  requireUniqueIds('token', token, problems);
  requireUniqueIds('naspip', naspip, problems);
  if (problems.length > 0) throw new InvalidSigningKeys(problems);
  return { token, naspip };
}

/** Keys of different kinds may share an id, because a token's format tells the kind. */
function requireUniqueIds(kind: KeyKind, keys: readonly { readonly id: string }[], problems: string[]): void {
  const ids = keys.map(({ id }) => id).filter((id) => id !== '');
  for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index)))
    problems.push(`Two ${kind} keys have the id ${id}.`);
}

export function formatSigningKeys({ token, naspip }: SigningKeyLists): string {
  const document = {
    token: token.map(({ id, secret, signsFrom, endsAt }) => ({
      id,
      secret: secret.toString('base64url'),
      signs_from: signsFrom,
      ...(endsAt !== null && { verifies_until: endsAt }),
    })),
    naspip: naspip.map(({ id, secretKey, signsFrom, endsAt }) => ({
      id,
      secret_key: secretKey,
      signs_from: signsFrom,
      expires_at: endsAt,
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The parser's error quotes the text, which contains secrets. */
function parseJsonObject(text: string): KeyEntry | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): KeyEntry | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as KeyEntry)
    : undefined;
}

function readKeysOfKind(
  document: KeyEntry,
  kind: KeyKind,
  problems: string[],
): [key: KeyEntry, name: string][] {
  const list = document[kind];
  if (!Array.isArray(list)) return [];
  return list.map((parsed: unknown, index): [KeyEntry, string] => {
    const key = asObject(parsed) ?? {};
    const name = `${kind} key ${index + 1}`;
    const unknown = Object.keys(key).some(
      (field) => !(FIELDS_BY_KIND[kind] as readonly string[]).includes(field),
    );
    if (unknown || key !== parsed)
      problems.push(`${name} must be an object with only these fields: ${FIELDS_BY_KIND[kind].join(', ')}.`);
    return [key, name];
  });
}

function readTokenKey(key: KeyEntry, name: string, problems: string[]): AccessTokenSigningKey {
  const { id, secret, verifies_until: until } = key;
  const isKid = typeof id === 'string' && TOKEN_KEY_ID.test(id);
  if (!isKid) problems.push(`${name}: id must be 1 to 32 letters, digits, dots, hyphens or underscores.`);
  const isSecret = typeof secret === 'string' && TOKEN_SECRET.test(secret);
  if (!isSecret) problems.push(`${name}: secret must be 256 bits in base64url.`);
  const [signsFrom, endsAt] = [
    readKeyTime(key, 'signs_from', name, problems),
    until === undefined || until === null ? null : readKeyTime(key, 'verifies_until', name, problems),
  ];
  rejectWrongOrder(
    { id: '', signsFrom, endsAt },
    `${name}: verifies_until must be later than signs_from.`,
    problems,
  );
  return {
    id: isKid ? id : '',
    secret: Buffer.from(isSecret ? secret : '', 'base64url'),
    signsFrom,
    endsAt,
  };
}

function readNaspipKey(key: KeyEntry, name: string, problems: string[]): NaspipKey {
  const { id, secret_key: secretKey } = key;
  const isKid = typeof id === 'string' && isNaspipKeyName(id);
  if (!isKid) problems.push(`${name}: id must be 5 to 20 printable ASCII characters without ";".`);
  try {
    secretKeyFromPaserk(String(secretKey));
  } catch (error) {
    problems.push(`${name}: secret_key is ${(error as Error).message}.`);
  }
  const [signsFrom, endsAt] = [
    readKeyTime(key, 'signs_from', name, problems),
    readKeyTime(key, 'expires_at', name, problems),
  ];
  rejectWrongOrder(
    { id: '', signsFrom, endsAt },
    `${name}: expires_at must be later than signs_from.`,
    problems,
  );
  return { id: isKid ? id : '', secretKey: String(secretKey), signsFrom, endsAt };
}

function readKeyTime(key: KeyEntry, field: string, name: string, problems: string[]): Date {
  const text = key[field];
  const time = typeof text === 'string' ? parseTime(text) : undefined;
  if (time === undefined)
    problems.push(
      `${name}: ${field} must be an ISO 8601 time with Z or an offset, such as 2030-01-01T00:00:00Z.`,
    );
  return time ?? new Date(NaN);
}

function rejectWrongOrder(
  { signsFrom, endsAt }: ScheduledSigningKey,
  sentence: string,
  problems: string[],
): void {
  if (endsAt !== null && endsAt <= signsFrom) problems.push(sentence);
}

/**
 * @param windowSeconds validity of payment tokens @throws InvalidSigningKeys if tokens of a kind cannot be signed now
 */
export function requireSigningKeys(
  { token, naspip }: SigningKeyLists,
  now: Date,
  windowSeconds: number,
): void {
  const windowEnd = new Date(now.getTime() + windowSeconds * 1000);
  const problems: string[] = [];
  if (!isSigningNow(token, now, now))
    problems.push('No token key signs now. At least one key must have signs_from in the past.');
  if (!isSigningNow(naspip, now, windowEnd))
    problems.push(
      'No naspip key both signs now and remains valid for a whole payment window. Create a new key.',
    );
  if (problems.length > 0) throw new InvalidSigningKeys(problems);
}

function isSigningNow(keys: readonly ScheduledSigningKey[], now: Date, until: Date): boolean {
  const signing = new SigningKeyRing(keys).signingKeyAt(now, until);
  return signing !== undefined && signing.signsFrom <= now;
}
