import type { ConfirmationsForAmount } from '#shared/kernel/asset.js';
import type { ChainTypeConfigurationSchema } from '#contexts/networks/infrastructure/configuration/configuration-reader.js';
import { BITCOIN, BITCOIN_CHAINS, NATIVE_DECIMALS } from './bitcoin-network.js';

/** Default confirmations for amounts up to 0.01 BTC, up to 0.1 BTC, and above 0.1 BTC. */
const DEFAULT_CONFIRMATIONS_BY_AMOUNT: readonly ConfirmationsForAmount[] = [
  { upTo: 1_000_000n, confirmations: 1 },
  { upTo: 10_000_000n, confirmations: 3 },
  { confirmations: 6 },
];

/** Short, so that a payer who watches the payment page learns within seconds that the payment was detected. */
const MEMPOOL_POLL_SECONDS = 3;

const CHAIN_NAMES = BITCOIN_CHAINS.map(({ name }) => `"${name}"`);

export const BITCOIN_CONFIGURATION_SCHEMA: ChainTypeConfigurationSchema = {
  name: BITCOIN,
  chainKey: 'chain',
  settings: ['mempool_poll_seconds'],
  hidesNativeTransfers: false,
  followsPending: true,
  deliversDirectly: true,
  // A block's median time is usually an hour behind the clock, and two blocks may be two hours apart.
  defaults: { depths: DEFAULT_CONFIRMATIONS_BY_AMOUNT, blockSeconds: 600, maxLagSeconds: 21_600 },
  hasBrowserWallets: false,
  nativeDecimals: NATIVE_DECIMALS,
  nativeSymbols: { [BITCOIN_CHAINS[0]!.magic]: 'BTC' },
  readChainId(network) {
    const rule = `must be ${CHAIN_NAMES.slice(0, -1).join(', ')} or ${CHAIN_NAMES.at(-1)}`;
    const name = network.text('chain', (text) => BITCOIN_CHAINS.some((chain) => chain.name === text), rule);
    return BITCOIN_CHAINS.find((chain) => chain.name === name)!.magic;
  },
  readToken: (asset) =>
    asset.text('token', () => false, 'must be the symbol of the native coin, and the same as symbol'),
  readChainTypeSettings(network) {
    const finality = network.raw('finality');
    if (network.has('finality') && !(finality instanceof Object && 'confirmations' in finality))
      throw network.toError(
        'finality',
        'must be an object with confirmations, because Bitcoin does not mark blocks as finalized',
      );
    const mempoolPollSeconds = network.integer('mempool_poll_seconds', 1, 60, MEMPOOL_POLL_SECONDS);
    return { contracts: [], mempoolPollSeconds };
  },
};
