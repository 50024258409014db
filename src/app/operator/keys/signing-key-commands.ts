import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { SettingReader } from '#shared/platform/setting-reader.js';
import type { EnvironmentVariables } from '../../settings/environment.js';
import { readPaymentWindow } from '../../settings/read-checkout-settings.js';
import { readFixedKeys } from '../../signing-keys/read-signing-keys.js';
import { changeSigningKeys, readSigningKeysFile } from '../../signing-keys/write-signing-keys.js';
import {
  SIGNING_KEY_KINDS,
  type SigningKeyKind,
  type SigningKeyLists,
  signingKeyStateOf,
} from '../../signing-keys/signing-keys.js';
import { selectFields } from '../command-result.js';
import { type CommandArguments, type StandaloneCommand, UsageError } from '../command.js';
import { parseDuration } from '../duration.js';

/** Covers caches of public keys (five minutes), file checks (two seconds) and clock skew. */
const DEFAULT_TIME_UNTIL_SIGNING = '10m';
const DEFAULT_KEY_LIFETIME = '365d';
const MAX_KEY_DAYS = 3_650;
/** The first key is backdated, so that it signs immediately despite clock skew. */
const CLOCK_SKEW_MS = 60_000;

/** For the machine that stores SIGNING_KEYS_FILE. These commands print and log no secrets. */
export const signingKeyCommands: StandaloneCommand[] = [
  {
    words: 'keys list',
    about:
      'List the keys that sign access tokens (token) and payment tokens (naspip), and how long each is needed.',
    example: '--json',
    async runAlone(_, environment) {
      return { data: describeKeys(...readKeys(environment)).map(keyRow) };
    },
  },
  {
    words: 'keys create',
    about:
      'Create a key in SIGNING_KEYS_FILE. It is published immediately and signs after a delay, when every cache has it.',
    changes: {
      what: 'the keys that sign and verify tokens',
      undo: '`keys remove` before the key signs.',
      audited: 'around it',
    },
    example: 'naspip --expires-in 180d',
    arguments: { kind: 'token for access tokens, naspip for payment tokens' },
    options: {
      'signs-in': {
        value: 'duration',
        about: `delay before it signs (default: ${DEFAULT_TIME_UNTIL_SIGNING}); the first key of its kind signs immediately`,
      },
      'expires-in': {
        value: 'duration',
        about: `naspip only: how long wallets accept it (default: ${DEFAULT_KEY_LIFETIME})`,
      },
    },
    async runAlone(args, environment) {
      const kind = parseKeyKind(args);
      const [path, windowSeconds] = readKeyFileSettings(environment);
      const now = new Date();
      const later = (option: string, standard: string) =>
        new Date(now.getTime() + parseDuration(args.optional(option) ?? standard, MAX_KEY_DAYS) * 1000);
      const endsAt = later('expires-in', DEFAULT_KEY_LIFETIME);
      if (kind === 'token' && args.optional('expires-in') !== undefined)
        throw new UsageError(
          '--expires-in applies to naspip keys only. A token key verifies until it is removed.',
        );
      let id = '';
      changeSigningKeys(path, (keys) => {
        id = generateKeyId(kind, keys, now);
        const isFirst = keys[kind].length === 0;
        const signsFrom = isFirst
          ? new Date(now.getTime() - CLOCK_SKEW_MS)
          : later('signs-in', DEFAULT_TIME_UNTIL_SIGNING);
        if (kind === 'token') {
          const key = { id, secret: randomBytes(32), signsFrom, endsAt: null };
          return { ...keys, token: [...keys.token, key] };
        }
        if (endsAt <= signsFrom)
          throw new UsageError(
            'The key would expire before it signs. Increase --expires-in or reduce --signs-in.',
          );
        const { secretKey } = generatePaserkKeyPair();
        return { ...keys, naspip: [...keys.naspip, { id, secretKey, signsFrom, endsAt }] };
      });
      const data = findKey(readSigningKeysFile(path), windowSeconds, kind, id);
      const note =
        'Running processes load it within seconds. When it signs, `keys list` shows how long the previous key is needed.';
      return { data: keyRow(data!), note };
    },
  },
  {
    words: 'keys remove',
    about: 'Remove a key from SIGNING_KEYS_FILE when it no longer signs and all its tokens have expired.',
    changes: {
      what: 'the keys that verify tokens',
      irreversible: 'No copy of the removed key is kept. Every token that it signed is rejected.',
      async preview(args, environment) {
        const [path, windowSeconds] = readKeyFileSettings(environment);
        const key = findKey(readSigningKeysFile(path), windowSeconds, parseKeyKind(args), args.text('id'));
        if (key === undefined) return null;
        return {
          effect: `The ${key.kind} key ${key.id} (${key.state}) will be removed from ${path}.`,
          confirmedBy: key.id,
        };
      },
      audited: 'around it',
    },
    example: 'token token-20260301-4f1c',
    arguments: { kind: 'token or naspip', id: 'id of the key, from `keys list`' },
    options: {
      stolen: { about: 'remove it even if its tokens are still valid; they are rejected from then on' },
    },
    async runAlone(args, environment) {
      const [path, windowSeconds] = readKeyFileSettings(environment);
      const [kind, id] = [parseKeyKind(args), args.text('id')];
      changeSigningKeys(path, (keys) => {
        const key = findKey(keys, windowSeconds, kind, id);
        if (key === undefined) throw stateConflict(`There is no ${kind} key ${id}.`);
        rejectRemoval(key, args.flag('stolen'));
        return { ...keys, [kind]: keys[kind].filter((one) => one.id !== id) };
      });
      return { data: { kind, id }, note: 'Running processes drop it within seconds.' };
    },
  },
  {
    words: 'keys import',
    about:
      'Copy the keys from TOKEN_SIGNING_KEYS and NASPIP_… to a new SIGNING_KEYS_FILE, which replaces these settings.',
    changes: {
      what: 'where signing keys are stored',
      undo: 'delete the file and keep the keys in the settings.',
      audited: 'around it',
    },
    example: '--json',
    async runAlone(_, environment) {
      const now = new Date();
      const [path, windowSeconds] = readKeyFileSettings(environment);
      if (existsSync(path)) throw stateConflict(`${path} already exists. Create keys with \`keys create\`.`);
      const reader = new SettingReader(environment);
      const fixed = readFixedKeys(reader, { now, windowSeconds, issuer: reader.text('NASPIP_ISSUER') });
      reader.requireValid();
      // `keys remove` computes from this start time how long the other keys are still needed.
      const signsFrom = new Date(now.getTime() - CLOCK_SKEW_MS);
      const [first, ...others] = fixed.token;
      const token = [{ ...first!, signsFrom }, ...others];
      changeSigningKeys(path, () => ({ token, naspip: fixed.naspip.map((key) => ({ ...key, signsFrom })) }));
      const note =
        'Remove TOKEN_SIGNING_KEYS, NASPIP_KEY_ID, NASPIP_SECRET_KEY and NASPIP_KEY_EXPIRES_AT from the settings, then restart each process.';
      return { data: describeKeys(readSigningKeysFile(path), windowSeconds).map(keyRow), note };
    },
  },
];

type DescribedKey = ReturnType<typeof describeKeys>[number];

const keyRow = (key: DescribedKey) =>
  selectFields(key, 'kind', 'id', 'state', 'signsFrom', 'signsUntil', 'endsAt', 'neededUntil');

function describeKeys(keys: SigningKeyLists, windowSeconds: number) {
  const now = new Date();
  return SIGNING_KEY_KINDS.flatMap((kind) =>
    keys[kind].map((key) => {
      const { id, signsFrom, endsAt } = key;
      return {
        kind,
        id,
        signsFrom,
        endsAt,
        ...signingKeyStateOf(kind, key, keys[kind], { now, windowSeconds }),
      };
    }),
  );
}

function findKey(keys: SigningKeyLists, windowSeconds: number, kind: SigningKeyKind, id: string) {
  return describeKeys(keys, windowSeconds).find((key) => key.kind === kind && key.id === id);
}

function rejectRemoval({ id, state, neededUntil: until }: DescribedKey, isStolen: boolean): void {
  if (state === 'signing')
    throw stateConflict(`${id} is the signing key. Run \`keys create\` and wait until the new key signs.`);
  if (state !== 'verifying' || isStolen || (until !== null && until <= new Date())) return;
  throw stateConflict(
    `Tokens signed by ${id} are valid until ${until?.toISOString() ?? 'it is removed'}. Remove it then, or immediately with --stolen.`,
  );
}

function readKeys(environment: EnvironmentVariables): [SigningKeyLists, windowSeconds: number] {
  const reader = new SettingReader(environment);
  const windowSeconds = readPaymentWindow(reader);
  const path = reader.text('SIGNING_KEYS_FILE', '');
  if (path !== '') return [readSigningKeysFile(path), windowSeconds];
  const issuer = reader.text('NASPIP_ISSUER');
  const fixed = readFixedKeys(reader, { now: new Date(), windowSeconds, issuer });
  reader.requireValid();
  return [fixed, windowSeconds];
}

function readKeyFileSettings(environment: EnvironmentVariables): [path: string, windowSeconds: number] {
  const reader = new SettingReader(environment);
  const place: [string, number] = [reader.text('SIGNING_KEYS_FILE'), readPaymentWindow(reader)];
  reader.requireValid();
  return place;
}

function parseKeyKind(args: CommandArguments): SigningKeyKind {
  const kind = SIGNING_KEY_KINDS.find((one) => one === args.text('kind'));
  if (kind === undefined) throw new UsageError('kind must be token or naspip.');
  return kind;
}

/** Generates a key id. Wallets accept at most 20 characters. */
function generateKeyId(kind: SigningKeyKind, keys: SigningKeyLists, now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  const taken = new Set(keys[kind].map(({ id }) => id));
  for (;;) {
    const id = `${kind}-${day}-${randomBytes(2).toString('hex')}`;
    if (!taken.has(id)) return id;
  }
}
