import { parseNetworksConfiguration } from '../infrastructure/configuration/parse-networks-configuration.js';
import { NetworksSettings, type RpcClientOptions } from '../infrastructure/networks-settings.js';

export const SAMPLE_TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

export function sampleAsset(changes: object = {}): object {
  return {
    token: SAMPLE_TOKEN,
    symbol: 'USDT',
    name: 'Test Dollar',
    decimals: 6,
    minimum_amount: '0.01',
    ...changes,
  };
}

export function sampleNetwork(changes: object = {}): Record<string, unknown> {
  return {
    network: 'sandbox',
    name: 'Sandbox',
    chain_id: 31_337,
    rpc_urls: ['http://127.0.0.1:8545'],
    finality: { confirmations: 3 },
    assets: [sampleAsset()],
    ...changes,
  };
}

export function nativeAsset(changes: object = {}): object {
  return {
    token: 'ETH',
    symbol: 'ETH',
    name: 'Test Ether',
    decimals: 18,
    minimum_amount: '0.001',
    ...changes,
  };
}

/** Longer than any node that answers takes, even on a busy machine. */
const PATIENT_MS = 60_000;

export function settingsFor(
  rpcUrl: string | readonly string[],
  changes: object = {},
  callTimeoutMs = PATIENT_MS,
  patience: Partial<RpcClientOptions> = {},
): NetworksSettings {
  const rpc_urls = typeof rpcUrl === 'string' ? [rpcUrl] : rpcUrl;
  const networks = parseNetworksConfiguration([sampleNetwork({ rpc_urls, ...changes })]);
  return new NetworksSettings(networks, {
    callTimeoutMs,
    retryAfterMs: [5, 5],
    backOffMs: [20, 100],
    headsEveryMs: 50,
    ...patience,
  });
}
