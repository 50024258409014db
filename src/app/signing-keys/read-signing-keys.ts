import { readFileSync } from 'node:fs';
import { SIGNS_FROM_ALWAYS, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { NaspipSigner } from '#shared/naspip/naspip-signer.js';
import { isNaspipKeyName } from '#shared/naspip/naspip-token.js';
import type { SettingReader } from '#shared/platform/setting-reader.js';
import { requireSigningKeys, InvalidSigningKeys, parseSigningKeys } from './parse-signing-keys.js';
import type { SigningKeyLists, SigningKeys, SigningKeysSource } from './signing-keys.js';

/** Names of the settings for fixed signing keys, which do not change while the process runs. */
const FIXED_KEY_SETTINGS = [
  'TOKEN_SIGNING_KEYS',
  'NASPIP_KEY_ID',
  'NASPIP_SECRET_KEY',
  'NASPIP_KEY_EXPIRES_AT',
] as const;

export interface SigningKeyOptions {
  readonly now: Date;
  readonly windowSeconds: number;
  readonly issuer: string;
}

export function readSigningKeys(reader: SettingReader, options: SigningKeyOptions): SigningKeys {
  const path = reader.text('SIGNING_KEYS_FILE', '');
  if (path === '') return toKeyRings(readFixedKeys(reader, options));
  const both = FIXED_KEY_SETTINGS.filter((name) => reader.text(name, '') !== '');
  if (both.length > 0)
    reader.addProblem(
      `SIGNING_KEYS_FILE and ${both.join(', ')} are set. Use either the file or the other settings.`,
    );
  return readKeysFile(reader, path, options) ?? toKeyRings({ token: [], naspip: [] });
}

function readKeysFile(
  reader: SettingReader,
  path: string,
  { now, windowSeconds, issuer }: SigningKeyOptions,
): SigningKeys | undefined {
  if (issuer !== '' && !isNaspipKeyName(issuer))
    reader.addProblem('NASPIP_ISSUER must be 5 to 20 printable ASCII characters without ";".');
  const read: SigningKeysSource['read'] = (text, at) => {
    const lists = parseSigningKeys(text);
    requireSigningKeys(lists, at, windowSeconds);
    return lists;
  };
  try {
    const text = readFileSync(path, 'utf8');
    return { ...toKeyRings(read(text, now)), file: { path, text, read } };
  } catch (error) {
    for (const problem of describeSigningKeyProblems(error))
      reader.addProblem(`SIGNING_KEYS_FILE: ${problem}`);
    return undefined;
  }
}

export function describeSigningKeyProblems(error: unknown): readonly string[] {
  if (error instanceof InvalidSigningKeys) return error.problems;
  return [`It cannot be read: ${String((error as NodeJS.ErrnoException).code ?? 'unknown')}.`];
}

function toKeyRings({ token, naspip }: SigningKeyLists): SigningKeys {
  return { token: new SigningKeyRing(token), naspip: new SigningKeyRing(naspip) };
}

/** The first key in TOKEN_SIGNING_KEYS signs. */
export function readFixedKeys(
  reader: SettingReader,
  { now, windowSeconds, issuer }: SigningKeyOptions,
): SigningKeyLists {
  const token = reader
    .keyRing('TOKEN_SIGNING_KEYS')
    .map((key) => ({ ...key, signsFrom: SIGNS_FROM_ALWAYS, endsAt: null }));
  const naspip = {
    issuer,
    keyId: reader.text('NASPIP_KEY_ID'),
    secretKey: reader.text('NASPIP_SECRET_KEY'),
    keyExpiresAt: reader.time('NASPIP_KEY_EXPIRES_AT'),
  };
  const { keyId: id, secretKey, keyExpiresAt: endsAt } = naspip;
  if (Object.values(naspip).every((value) => value !== '')) {
    try {
      new NaspipSigner(naspip);
    } catch (error) {
      reader.addProblem(`NASPIP_ISSUER, NASPIP_KEY_ID, NASPIP_SECRET_KEY: ${(error as Error).message}`);
    }
  }
  if (endsAt.getTime() < now.getTime() + windowSeconds * 1000) {
    reader.addProblem(
      'NASPIP_KEY_EXPIRES_AT has passed, or will pass within a payment window. Create a new key.',
    );
  }
  return { token, naspip: [{ id, secretKey, signsFrom: SIGNS_FROM_ALWAYS, endsAt }] };
}
