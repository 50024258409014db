import type {
  ChainTypeConfigurationSchema,
  ConfigurationReader,
} from '#contexts/networks/infrastructure/configuration/configuration-reader.js';
import { EVM_CREATE2_PREFIX } from '../forwarders/evm-address.js';
import { hexOfTronAddress } from './addresses/tron-address.js';
import { TronForwarders } from './addresses/tron-forwarders.js';
import { MISSING_FACTORY, TRON, TRX } from './tron-network.js';

const ADDRESS_RULE = 'must be a TRON address in Base58Check, which begins with T';

const TRON_CREATE2_PREFIX = 0x41;
/** In force since August 2025. The ceiling leaves room for the price before that. */
const DEFAULT_ENERGY_PRICE_SUN = 210;
const DEFAULT_FEE_LIMIT_TRX = 1_000;
/** Nodes accept at most 15,000 TRX. */
const MAX_FEE_LIMIT_TRX = 15_000;
const SUN_PER_TRX = 1_000_000n;

const CREATE2_PREFIXES = [TRON_CREATE2_PREFIX, EVM_CREATE2_PREFIX];

export const TRON_CONFIGURATION_SCHEMA: ChainTypeConfigurationSchema = {
  name: TRON,
  chainKey: 'chain_id',
  settings: ['factory', 'create2_prefix', 'energy_price_sun', 'fee_limit_trx'],
  // A transfer of TRX is no event. TRX is no asset of these networks, so its balances are not compared.
  hidesNativeTransfers: false,
  followsPending: false,
  deliversDirectly: false,
  defaults: { blockSeconds: 3, typicalConfirmations: 19 },
  hasBrowserWallets: false,
  nativeDecimals: TRX.decimals,
  nativeSymbols: {},
  nativeSymbol: TRX.symbol,
  readChainId: (network) => network.integer('chain_id', 1, Number.MAX_SAFE_INTEGER),
  readToken: (asset) => asset.text('token', isAddress, ADDRESS_RULE),
  readChainTypeSettings(network) {
    refuseNativeAsset(network);
    if (network.has('sponsored_payments'))
      throw network.toError(
        'sponsored_payments',
        'must be omitted, because tokens of TRON accept no signatures',
      );
    if (network.raw('finality') instanceof Object && 'confirmations' in (network.raw('finality') as object))
      throw network.toError(
        'finality',
        'must be "finalized", because a TRON node reports which blocks are solid',
      );
    const factory = network.has('factory')
      ? network.text('factory', isAddress, ADDRESS_RULE)
      : MISSING_FACTORY;
    const create2Prefix = readCreate2Prefix(network);
    const { implementation } = new TronForwarders({ factory, create2Prefix, chainId: 0 });
    return {
      ...{ factory, create2Prefix, contracts: [factory, implementation] },
      mostEnergyPrice: BigInt(network.integer('energy_price_sun', 1, 1_000, DEFAULT_ENERGY_PRICE_SUN)),
      mostFeeLimit:
        BigInt(network.integer('fee_limit_trx', 1, MAX_FEE_LIMIT_TRX, DEFAULT_FEE_LIMIT_TRX)) * SUN_PER_TRX,
    };
  },
};

function readCreate2Prefix(network: ConfigurationReader): number {
  if (!network.has('create2_prefix')) return TRON_CREATE2_PREFIX;
  const spelled = CREATE2_PREFIXES.map((prefix) => `0x${prefix.toString(16)}`);
  const isKnown = (text: string) => spelled.includes(text);
  return Number(
    network.text('create2_prefix', isKnown, `must be ${spelled.map((each) => `"${each}"`).join(' or ')}`),
  );
}

/** Nodes do not report a transfer of TRX as an event, so the service could not see it. */
function refuseNativeAsset(network: ConfigurationReader): void {
  const tokens = (network.raw('assets') as readonly { token?: unknown; symbol?: unknown }[]).map(
    ({ token, symbol }) => token === symbol,
  );
  if (tokens.includes(true))
    throw network.toError(
      `assets[${tokens.indexOf(true)}].token`,
      'must be a TRC-20 token, not the native coin',
    );
}

function isAddress(text: string): boolean {
  return hexOfTronAddress(text) !== null;
}
