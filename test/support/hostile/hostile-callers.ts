import { randomBytes } from 'node:crypto';
import { decodeProtectedHeader, decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import type { Operation } from './hostile-api.js';
import type { HostileWorld } from './hostile-world.js';

export interface Caller {
  headers: Record<string, string | string[]>;
  /** Source address. */
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
/** The fields that a device may send. */
const OF_A_SALE = ['amount', 'coin_code', 'unique_asset_id', 'reference_id'];
const HOUR_AND_A_SECOND = 3_601;

/** Every kind of caller, by the order of proofs in docs/reference/authentication.md; who fails two gets the first one's answer. */
export async function callersOf(world: HostileWorld): Promise<Record<string, Caller>> {
  const always = (code: string | number) => () => code;
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
    nobody: { headers: {}, answer: always('token_missing') },
    'only the key': { headers: { 'x-service-api-key': good.keyId }, answer: always('token_missing') },
    'key and secret as basic credentials': {
      headers: {
        authorization: `Basic ${Buffer.from(`${good.keyId}:${good.secret}`).toString('base64')}`,
        'x-service-api-key': good.keyId,
      },
      answer: always('token_missing'),
    },
    'only the token': {
      headers: { authorization: headers.authorization },
      answer: always('api_key_missing'),
    },
    'the token in the query’s place': {
      headers: { 'x-access-token': token, cookie: `token=${token}`, 'x-service-api-key': good.keyId },
      answer: always('token_missing'),
    },
    'the secret for a token': { headers: pair(good.secret, good.keyId), answer: always('token_invalid') },
    'two tokens': {
      headers: { authorization: `Bearer ${token}, Bearer ${token}`, 'x-service-api-key': good.keyId },
      answer: always('token_invalid'),
    },
    ...Object.fromEntries(
      Object.entries(forged).map(([name, text]) => [
        name,
        { headers: pair(text, good.keyId), answer: always('token_invalid') },
      ]),
    ),
    'an expired token': { headers: expired, answer: always('token_expired') },
    'an expired token and another key': {
      headers: { ...expired, 'x-service-api-key': other.keyId },
      answer: always('token_expired'),
    },
    'another credential’s key': { headers: pair(token, other.keyId), answer: always('api_key_mismatch') },
    'another organization’s key': {
      headers: pair(token, world.foreign.credential.keyId),
      answer: always('api_key_mismatch'),
    },
    'the key of staging': {
      headers: pair(token, good.keyId.replace('.dev.', '.stg.')),
      answer: always('api_key_mismatch'),
    },
    'the key of production': {
      headers: pair(token, good.keyId.replace('.dev.', '.prd.')),
      answer: always('api_key_mismatch'),
    },
    'the key without its prefix': { headers: pair(token, good.id), answer: always('api_key_mismatch') },
    'the key in capitals': {
      headers: pair(token, good.keyId.toUpperCase()),
      answer: always('api_key_mismatch'),
    },
    'two keys': {
      headers: { ...headers, 'x-service-api-key': [good.keyId, other.keyId] },
      answer: always('api_key_mismatch'),
    },
    'a deleted credential with another key': {
      headers: { ...deletedHeaders, 'x-service-api-key': other.keyId },
      answer: always('api_key_mismatch'),
    },
    'a deleted credential': { headers: deletedHeaders, answer: always('credentials_invalid') },
    'a disabled credential': { headers: disabledHeaders, answer: always('credential_disabled') },
    'a disabled credential from elsewhere': {
      headers: disabledConfinedHeaders,
      answer: always('credential_disabled'),
    },
    'a confined credential from elsewhere': { headers: confinedHeaders, answer: always('ip_not_allowed') },
    'a confined credential that claims its address': {
      headers: { ...confinedHeaders, ...spoofed },
      answer: always('ip_not_allowed'),
    },
    'a confined credential without the role from elsewhere': {
      headers: await world.proofs(confinedReader, ELSEWHERE),
      answer: always('ip_not_allowed'),
    },
    'a confined credential at home': { headers: confinedHeaders, from: ELSEWHERE, answer: always(200) },
    'a reader': { headers: await world.proofs(reader), answer: byRole('read') },
    'a writer': { headers: await world.proofs(writer), answer: byRole('write') },
    'a reader of the account': {
      headers: await world.proofs(accountReader),
      answer: (operation) => (operation.method === 'GET' ? byScope(operation) : 'role_required'),
    },
    'the account': { headers: await world.proofs(ofAccount), answer: byScope },
    'the organization': { headers, answer: always(200) },
    'a device': { headers: await world.proofs(device), answer: byDevice(OF_DEVICES), fields: OF_A_SALE },
    'a device of another point of sale': {
      headers: await world.proofs(otherDevice),
      answer: byDevice(OF_EVERY_DEVICE),
    },
    'a device of another organization’s point of sale': {
      headers: await world.proofs(strayDevice),
      answer: byDevice(OF_EVERY_DEVICE),
    },
    'a revoked device': { headers: revokedHeaders, answer: always('credentials_invalid') },
    'the organization, claiming another address': {
      headers: { ...headers, ...spoofed },
      answer: always(200),
    },
  };
}

/** The exchange happens an hour ago by the service's one clock, which is put right again. */
export async function expiredProofs(
  world: HostileWorld,
  credential: Parameters<HostileWorld['proofs']>[0],
  from?: string,
) {
  const move = (seconds: number) =>
    world.service.query('UPDATE platform.clock_offset SET value = value + make_interval(secs => $1)', [
      seconds,
    ]);
  await move(-HOUR_AND_A_SECOND);
  try {
    return await world.proofs(credential, from);
  } finally {
    await move(HOUR_AND_A_SECOND);
  }
}

/** Tokens that say what a good one says. */
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
