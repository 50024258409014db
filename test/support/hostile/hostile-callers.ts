import { randomBytes } from 'node:crypto';
import { decodeProtectedHeader, decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import type { Operation } from './hostile-api.js';
import type { Credential } from './hostile-tenants.js';
import type { HostileWorld } from './hostile-world.js';

export interface Caller {
  headers: Record<string, string | string[]>;
  from?: string;
  /** The only fields of a body that it may send; all where it is absent. */
  fields?: readonly string[];
  /** A protected operation answers this: an error code, or 200. */
  answer: (operation: Operation) => string | number;
}

/** An address of this machine that the API does not see as 127.0.0.1. */
export const ELSEWHERE = '127.0.0.2';
const OF_EVERY_DEVICE = ['GET /v1/assets'];
/** All that docs/reference/tills.md lists. */
const OF_DEVICES = [
  ...OF_EVERY_DEVICE,
  'GET /v1/pos/{posID}',
  'GET /v1/pos/{posID}/payment-request',
  'GET /v1/pos/{posID}/payment-request/{paymentRequestID}',
  'POST /v1/pos/{posID}/payment-request',
  'POST /v1/pos/{posID}/payment-request-checkout',
  'POST /v1/pos/{posID}/payment-request/{paymentRequestID}/expire',
];
const OF_A_SALE = ['amount', 'coin_code', 'unique_asset_id', 'reference_id'];
const HOUR_AND_A_SECOND = 3_601;

/** Every kind of caller, by the order of proofs in docs/reference/authentication.md; who fails two gets the first one's answer. */
export async function callersOf(world: HostileWorld): Promise<Record<string, Caller>> {
  const always = (code: string | number, headers: Caller['headers']): Caller => ({
    headers,
    answer: () => code,
  });
  const pair = (token: string, key: string) => ({
    authorization: `Bearer ${token}`,
    'x-service-api-key': key,
  });
  const limits = { allowedAddresses: [`${ELSEWHERE}/32`] };
  const [good, other, disabled, deleted, confined, disabledConfined] = await Promise.all([
    world.credential(),
    world.credential(),
    world.credential(),
    world.credential(),
    world.credential(limits),
    world.credential({ ...limits, roles: ['read'], accountId: world.home.accountId }),
  ]);
  const [reader, writer, ofAccount, accountReader, confinedReader] = await Promise.all([
    world.credential({ roles: ['read'] }),
    world.credential({ roles: ['write'] }),
    world.credential({ accountId: world.home.accountId }),
    world.credential({ accountId: world.home.accountId, roles: ['read'] }),
    world.credential({ ...limits, roles: ['read'] }),
  ]);
  const device = await world.devices.of(world.home.posId);
  const otherDevice = await world.devices.of(world.accounts.idlePosId);
  const strayDevice = await world.devices.of(world.foreign.posId);
  const revoked = await world.devices.of(world.home.posId);
  const revokedHeaders = await world.proofs(revoked);
  await world.devices.revoke(revoked, world.home.posId);
  const headers = await world.proofs(good);
  const token = headers.authorization.slice('Bearer '.length);
  const disabledHeaders = await world.proofs(disabled);
  const deletedHeaders = await world.proofs(deleted);
  const confinedHeaders = await world.proofs(confined, ELSEWHERE);
  const disabledConfinedHeaders = await world.proofs(disabledConfined, ELSEWHERE);
  await world.disable(disabled);
  await world.disable(disabledConfined);
  await world.delete(deleted);
  const expired = await expiredProofs(world, good);
  const forged = await forgedTokens(token);
  const byRole = (role: string) => (operation: Operation) => {
    const needed = operation.method === 'GET' ? 'read' : 'write';
    return needed === role ? 200 : 'role_required';
  };
  const byScope = ({ wantsOrganization }: Operation) =>
    wantsOrganization ? 'organization_scope_required' : 200;
  const byDevice = (own: readonly string[]) => (operation: Operation) => {
    if (operation.wantsOrganization) return 'organization_scope_required';
    return own.includes(operation.name) ? 200 : 'device_not_allowed';
  };
  const spoofed = {
    'x-forwarded-for': ELSEWHERE,
    'x-real-ip': ELSEWHERE,
    forwarded: `for=${ELSEWHERE}`,
    'client-ip': ELSEWHERE,
    'true-client-ip': ELSEWHERE,
    'cf-connecting-ip': ELSEWHERE,
  };

  return {
    nobody: always('token_missing', {}),
    'only the key': always('token_missing', { 'x-service-api-key': good.keyId }),
    'key and secret as basic credentials': always('token_missing', {
      authorization: `Basic ${Buffer.from(`${good.keyId}:${good.secret}`).toString('base64')}`,
      'x-service-api-key': good.keyId,
    }),
    'only the token': always('api_key_missing', { authorization: headers.authorization }),
    'the token in the query’s place': always('token_missing', {
      'x-access-token': token,
      cookie: `token=${token}`,
      'x-service-api-key': good.keyId,
    }),
    'the secret for a token': always('token_invalid', pair(good.secret, good.keyId)),
    'two tokens': always('token_invalid', {
      authorization: `Bearer ${token}, Bearer ${token}`,
      'x-service-api-key': good.keyId,
    }),
    ...Object.fromEntries(
      Object.entries(forged).map(([name, text]) => [name, always('token_invalid', pair(text, good.keyId))]),
    ),
    'an expired token': always('token_expired', expired),
    'an expired token and another key': always('token_expired', {
      ...expired,
      'x-service-api-key': other.keyId,
    }),
    'another credential’s key': always('api_key_mismatch', pair(token, other.keyId)),
    'another organization’s key': always('api_key_mismatch', pair(token, world.foreign.credential.keyId)),
    'the key of staging': always('api_key_mismatch', pair(token, good.keyId.replace('.dev.', '.stg.'))),
    'the key of production': always('api_key_mismatch', pair(token, good.keyId.replace('.dev.', '.prd.'))),
    'the key without its prefix': always('api_key_mismatch', pair(token, good.id)),
    'the key in capitals': always('api_key_mismatch', pair(token, good.keyId.toUpperCase())),
    'two keys': always('api_key_mismatch', { ...headers, 'x-service-api-key': [good.keyId, other.keyId] }),
    'a deleted credential with another key': always('api_key_mismatch', {
      ...deletedHeaders,
      'x-service-api-key': other.keyId,
    }),
    'a deleted credential': always('credentials_invalid', deletedHeaders),
    'a disabled credential': always('credential_disabled', disabledHeaders),
    'a disabled credential from elsewhere': always('credential_disabled', disabledConfinedHeaders),
    'a confined credential from elsewhere': always('ip_not_allowed', confinedHeaders),
    'a confined credential that claims its address': always('ip_not_allowed', {
      ...confinedHeaders,
      ...spoofed,
    }),
    'a confined credential without the role from elsewhere': always(
      'ip_not_allowed',
      await world.proofs(confinedReader, ELSEWHERE),
    ),
    'a confined credential at home': { ...always(200, confinedHeaders), from: ELSEWHERE },
    'a reader': { headers: await world.proofs(reader), answer: byRole('read') },
    'a writer': { headers: await world.proofs(writer), answer: byRole('write') },
    'a reader of the account': {
      headers: await world.proofs(accountReader),
      answer: (operation) => (operation.method === 'GET' ? byScope(operation) : 'role_required'),
    },
    'the account': { headers: await world.proofs(ofAccount), answer: byScope },
    'the organization': always(200, headers),
    'a device': { headers: await world.proofs(device), answer: byDevice(OF_DEVICES), fields: OF_A_SALE },
    'a device of another point of sale': {
      headers: await world.proofs(otherDevice),
      answer: byDevice(OF_EVERY_DEVICE),
    },
    'a device of another organization’s point of sale': {
      headers: await world.proofs(strayDevice),
      answer: byDevice(OF_EVERY_DEVICE),
    },
    'a revoked device': always('credentials_invalid', revokedHeaders),
    'the organization, claiming another address': always(200, { ...headers, ...spoofed }),
  };
}

/** The exchange happens an hour ago by the service's one clock, which is put right again. */
async function expiredProofs(world: HostileWorld, credential: Credential) {
  const move = (seconds: number) =>
    world.service.query('UPDATE platform.clock_offset SET value = value + make_interval(secs => $1)', [
      seconds,
    ]);
  await move(-HOUR_AND_A_SECOND);
  try {
    return await world.proofs(credential);
  } finally {
    await move(HOUR_AND_A_SECOND);
  }
}

async function forgedTokens(good: string): Promise<Record<string, string>> {
  const claims = decodeJwt(good);
  const header = decodeProtectedHeader(good);
  const [head, body, signature] = good.split('.');
  const sign = (changes: object) =>
    new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256', ...changes }).sign(randomBytes(64));
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    'a token of another signing key': await sign({}),
    'a token of an unknown signing key': await sign({ kid: 'other' }),
    'a token of another algorithm': await sign({ alg: 'HS512' }),
    'an unsigned token': new UnsecuredJWT(claims).encode(),
    'a token with its signature cut off': `${head}.${body}.`,
    'a token whose header says none': `${part({ ...header, alg: 'none' })}.${body}.${signature}`,
    'a token for another credential': `${head}.${part({ ...claims, sub: '0193b2f4-0000-7000-8000-00000000dead' })}.${signature}`,
    'a token that never expires': `${head}.${part({ ...claims, exp: 4_102_444_800 })}.${signature}`,
  };
}
