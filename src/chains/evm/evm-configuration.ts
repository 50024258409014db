import {
  toDisplayAddress,
  canonicalAddress,
  isUsableEvmAddress,
} from '#contexts/networks/contract/address-spelling.js';
import {
  ConfigurationReader,
  type ChainTypeConfigurationSchema,
  InvalidNetworksConfiguration,
  refuseDuplicates,
} from '#contexts/networks/infrastructure/configuration/configuration-reader.js';
import type { GasFeeLimits } from '#contexts/networks/domain/outbound/gas-fees.js';
import { EVM, NATIVE_DECIMALS } from './evm-network.js';
import {
  DETERMINISTIC_DEPLOYER,
  currentFactoryAddress,
  implementationOf,
} from '../forwarders/forwarder-artifacts.js';

const ADDRESS_RULE = 'must be an EVM address with a correct EIP-55 checksum (or all in lower case), not zero';

const GWEI_DECIMALS = 9;
const MAX_WEI = 10n ** 15n;
const GWEI = 10n ** 9n;
/** 0.001 gwei, in wei. */
const DEFAULT_FEE_FLOOR_WEI = GWEI / 1_000n;
const DEFAULT_FEE_CEILING_WEI = 500n * GWEI;
/** In gwei, by chain id. Above the chain's price in all but its worst hours, to limit the cost of a wrong price. */
const FEE_CEILINGS_GWEI: Readonly<Record<number, bigint>> = {
  1: 200n,
  10: 5n,
  56: 20n,
  137: 1_000n,
  8_453: 5n,
  42_161: 10n,
  43_114: 100n,
};

/**
 * A token transfer uses about 65,000 gas. Much more is work of the recipient's contract, which the float should not
 * pay for.
 */
const DEFAULT_TRANSFER_GAS = 200_000;
/** Arbitrum One and Nova charge in gas for data on their base chain. */
const DEFAULT_TRANSFER_GAS_BY_CHAIN_ID: Readonly<Record<number, number>> = {
  42_161: 3_000_000,
  42_170: 3_000_000,
};
const MAX_TRANSFER_GAS = 2 ** 24;

export const EVM_CONFIGURATION_SCHEMA: ChainTypeConfigurationSchema = {
  name: EVM,
  chainKey: 'chain_id',
  settings: ['factory', 'implementation', 'fees', 'transfer_gas', 'signature_factories', 'wallet_rpc_url'],
  hidesNativeTransfers: true,
  followsPending: false,
  deliversDirectly: false,
  hasBrowserWallets: true,
  nativeDecimals: NATIVE_DECIMALS,
  nativeSymbols: {
    1: 'ETH',
    10: 'ETH',
    56: 'BNB',
    137: 'POL',
    8_453: 'ETH',
    42_161: 'ETH',
    43_114: 'AVAX',
  },
  readChainId: (network) => network.integer('chain_id', 1, Number.MAX_SAFE_INTEGER),
  readToken: (asset) => readAddress(asset, 'token', `${ADDRESS_RULE}, or the symbol of the native coin`),
  readChainTypeSettings(network) {
    const factory = network.has('factory')
      ? readAddress(network, 'factory', ADDRESS_RULE)
      : currentFactoryAddress();
    const implementation = network.has('implementation')
      ? readAddress(network, 'implementation', ADDRESS_RULE)
      : implementationOf(factory);
    const contracts = [DETERMINISTIC_DEPLOYER, factory, implementation];
    return {
      factory,
      implementation,
      fees: readFees(network),
      transferGas: readTransferGas(network),
      signatureFactories: readSignatureFactories(network),
      contracts,
    };
  },
};

function readTransferGas(network: ConfigurationReader): bigint {
  const usual = DEFAULT_TRANSFER_GAS_BY_CHAIN_ID[Number(network.raw('chain_id'))] ?? DEFAULT_TRANSFER_GAS;
  return BigInt(network.integer('transfer_gas', 21_000, MAX_TRANSFER_GAS, usual));
}

function readSignatureFactories(network: ConfigurationReader): string[] {
  const key = 'signature_factories';
  if (!network.has(key)) return [];
  const factories = network.list(key, (value, path) => {
    if (typeof value === 'string' && isUsableEvmAddress(value)) return canonicalAddress(value);
    throw new InvalidNetworksConfiguration(path, ADDRESS_RULE);
  });
  refuseDuplicates(`${network.path}.${key}`, factories, null, (factory) => factory);
  return factories;
}

/** In gwei: the minimum priority fee (or gas price, without EIP-1559) and the maximum total gas price. */
function readFees(network: ConfigurationReader): GasFeeLimits {
  const known = FEE_CEILINGS_GWEI[network.raw('chain_id') as number];
  const fallback = known === undefined ? DEFAULT_FEE_CEILING_WEI : known * GWEI;
  if (!network.has('fees')) return { floor: DEFAULT_FEE_FLOOR_WEI, ceiling: fallback };
  const path = `${network.path}.fees`;
  const fees = new ConfigurationReader(network.raw('fees'), path, [], ['floor_gwei', 'ceiling_gwei']);
  const floor = readGwei(fees, 'floor_gwei', DEFAULT_FEE_FLOOR_WEI);
  const ceiling = readGwei(fees, 'ceiling_gwei', fallback);
  if (ceiling === 0n) throw fees.toError('ceiling_gwei', 'must be above zero');
  if (floor > ceiling) throw fees.toError('floor_gwei', 'must not be above ceiling_gwei');
  return { floor, ceiling };
}

function readGwei(fees: ConfigurationReader, key: string, fallback: bigint): bigint {
  if (!fees.has(key)) return fallback;
  const rule = 'must be gwei as a decimal string, up to 1000000, with up to 9 decimals';
  const text = fees.text(key, (value) => /^(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,9})?$/.test(value), rule);
  const [whole = '', fraction = ''] = text.split('.');
  const wei = BigInt(whole + fraction.padEnd(GWEI_DECIMALS, '0'));
  if (wei > MAX_WEI) throw fees.toError(key, rule);
  return wei;
}

function readAddress(reader: ConfigurationReader, key: string, rule: string): string {
  return toDisplayAddress(reader.text(key, isUsableEvmAddress, rule));
}
