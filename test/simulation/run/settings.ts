import { createPrivateKey, createPublicKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NetworkFact } from '../facts/fact.js';
import type { Random } from '../random.js';

export const BLOCK_SECONDS = 60;

export interface SimulatedConfiguration {
  readonly chainId: number;
  readonly rpcUrls: readonly string[];
  readonly assets: readonly (Readonly<Record<string, unknown>> & {
    token: string;
    symbol: string;
    decimals: number;
    minimum_amount: string;
    peg?: string;
  })[];
}

/** A block is final once it is the first of so many. */
export const CONFIRMATIONS = 5;
const GRACE_SECONDS = 60;
const SETTLEMENT = { every_seconds: 3_600, max_gas_share_percent: 2, after_hours: 6 };

export function networkFact(
  network: string,
  at: number,
  { chainId, assets }: SimulatedConfiguration,
): NetworkFact {
  return {
    kind: 'network',
    at,
    network,
    chainId,
    // The block itself is the first confirmation.
    confirmations: CONFIRMATIONS - 1,
    blockSeconds: BLOCK_SECONDS,
    inclusionGraceSeconds: GRACE_SECONDS,
    settlementEverySeconds: SETTLEMENT.every_seconds,
    settlementAfterHours: SETTLEMENT.after_hours,
    assets: assets.map(({ token, symbol, decimals, minimum_amount, peg }) => ({
      uniqueAssetId: `n${network}_t${token}`,
      symbol,
      decimals,
      minimumAmount: minimum_amount,
      token: token.startsWith('0x') ? token : null,
      ...(peg !== undefined && { currency: peg }),
    })),
  };
}

export function serviceSettings(
  folder: string,
  databaseUrl: string,
  network: string,
  { chainId, rpcUrls, assets }: SimulatedConfiguration,
  gasKey: string,
  random: Random,
): Record<string, string> {
  const networksFile = join(folder, 'networks.json');
  const entry = {
    network,
    name: 'Simulated',
    chain_id: chainId,
    rpc_urls: rpcUrls,
    // Settlements and payouts wait longer than payments.
    finality: { confirmations: CONFIRMATIONS + 3 },
    confirmations: [{ require: CONFIRMATIONS }],
    inclusion_grace_seconds: GRACE_SECONDS,
    block_seconds: BLOCK_SECONDS,
    max_lag_seconds: 86_400,
    settlement: SETTLEMENT,
    sponsored_payments: { per_payment: '1', per_organization_and_day: '100', per_day: '1000' },
    assets,
  };
  writeFileSync(networksFile, JSON.stringify([entry]));
  const secret = () => drawnSecret(random);
  const key = () => `simulated-1:${secret().toString('base64url')}`;
  const generous = '1000000000';
  return {
    SERVICE_ENV: 'development',
    PUBLIC_URL: 'http://127.0.0.1:3000',
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '3000',
    LOG_LEVEL: 'silent',
    DATABASE_URL: withSimulatedTime(databaseUrl),
    DATABASE_POOL_SIZE: '6',
    NETWORKS_FILE: networksFile,
    TOKEN_SIGNING_KEYS: key(),
    WEBHOOK_SECRET_KEYS: key(),
    DASHBOARD_SECRET_KEYS: key(),
    NASPIP_ISSUER: 'simulated.example',
    NASPIP_KEY_ID: 'simulated-1',
    NASPIP_SECRET_KEY: paserkOf(secret()),
    NASPIP_KEY_EXPIRES_AT: '2040-01-01T00:00:00Z',
    GAS_KEY: gasKey,
    REFUND_KEY: secret().toString('hex'),
    TOKEN_EXCHANGES_PER_MINUTE: generous,
    TOKEN_FAILURES_PER_MINUTE: generous,
    DEVICE_CREATIONS_PER_MINUTE: generous,
    CREDENTIAL_REQUESTS_PER_SECOND: generous,
    STATUS_READS_PER_SECOND: generous,
    STATUS_READS_BURST: generous,
    PUBLIC_REQUESTS_PER_MINUTE: generous,
    PUBLIC_MISSES_PER_MINUTE: generous,
    PAGE_REQUESTS_PER_MINUTE: generous,
    LINK_OPEN_SESSIONS: generous,
    LINK_OPEN_SESSIONS_PER_ADDRESS: generous,
  };
}

export function drawnSecret(random: Random): Buffer {
  return Buffer.from(Array.from({ length: 32 }, () => random.whole(0, 255)));
}

/** The header of a PKCS #8 key for Ed25519 (RFC 8410, section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

function paserkOf(seed: Buffer): string {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return `k4.secret.${Buffer.concat([seed, Buffer.from(x!, 'base64url')]).toString('base64url')}`;
}

/** The functions of `simulated` come before PostgreSQL's own; without this, the service would set its own search path. */
function withSimulatedTime(databaseUrl: string): string {
  const options = encodeURIComponent('-c search_path=simulated,pg_catalog,public');
  return `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}options=${options}`;
}
