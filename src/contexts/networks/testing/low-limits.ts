import { NetworksSettings, type RpcPatience } from '../infrastructure/networks-settings.js';
import { TRANSFER_TOPIC } from '../infrastructure/evm/rpc/log-answers.js';
import { addressOf, flood, topicsTo } from './flooded-chain.js';
import { nodeLayer } from './node-layer.js';
import { SAMPLE_TOKEN, sampleAsset, settingsFor } from './sample-configuration.js';
import { OTHER_HASH, wordOf } from './stub-answers.js';

export const TOKEN = SAMPLE_TOKEN.toLowerCase();
export const OTHER_TOKEN = `0x${'b2'.repeat(20)}`;
const WANTED = [TOKEN, OTHER_TOKEN];

/** The height of the flooded block. */
export const FLOODED = 12;

/** A usual answer holds some ten logs. */
export const LOW_LIMITS = {
  parsedBytes: 6_000,
  heldMovements: 7,
  streaming: { silenceMs: 60_000, totalMs: 60_000, elementBytes: 20_000 },
};

/** A service's view of a node, with two tokens, by limits that sixty logs are beyond. */
export function lowLayer(url: string, limits: Partial<RpcPatience> = LOW_LIMITS) {
  const assets = [sampleAsset(), sampleAsset({ token: OTHER_TOKEN, symbol: 'USDC', name: 'Other' })];
  const { networks, patience } = settingsFor(url, { assets });
  return nodeLayer(new NetworksSettings(networks, { ...patience, retryAfterMs: [], ...limits }));
}

/** Sixty transfers by two tokens, each to another address, every third of them of nothing. */
export const transfers = () =>
  flood(FLOODED, 60, (i) => ({
    address: WANTED[i % 2],
    topics: topicsTo(TRANSFER_TOPIC, i),
    data: wordOf(i % 3 === 0 ? 0 : i),
  }));

/** None of these logs concerns the service, though the bloom filter allows it. */
export const disguised = () =>
  flood(FLOODED, 60, (i) => ({
    address: i % 2 === 0 ? addressOf(i) : TOKEN,
    topics: [i % 2 === 0 ? TRANSFER_TOPIC : OTHER_HASH],
  }));
