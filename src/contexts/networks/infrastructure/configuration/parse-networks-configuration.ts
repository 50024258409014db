import { ASSET_SYMBOL_PATTERN, type Asset, isNative } from '#shared/kernel/asset.js';
import { isCurrency } from '#shared/kernel/currency.js';
import type { Finality } from '../../contract/finality-depth.js';
import { canonicalAddress } from '../../contract/address-spelling.js';
import type { NetworkConfiguration } from '../../domain/network-configuration.js';
import { CHAIN_TYPES } from '#chains/installed-chain-types.js';
import {
  ConfigurationReader,
  InvalidNetworksConfiguration,
  readList,
  refuseDuplicates,
  type ChainTypeConfigurationSchema,
} from './configuration-reader.js';
import {
  type ConfirmationTable,
  assetConfirmationTable,
  readConfirmationTable,
} from './read-confirmation-table.js';
import {
  minimumFinalityOf,
  readConfirmationsByAmount,
  readFinality,
} from './read-confirmations-by-amount.js';
import {
  ACCEPTABLE_RISKS,
  GAS_SPENDING_SETTINGS,
  readAcceptedRisks,
  readBrowserWallets,
  readExplorer,
  readGasSpending,
  readUrls,
} from './read-network-settings.js';

const DEFAULT_INCLUSION_GRACE_SECONDS = 60;
/** One day, because transactions with a low fee may wait until the network is quiet at night. */
const DEFAULT_PENDING_GRACE_SECONDS = 86_400;
const DEFAULT_BLOCK_SECONDS = 12;
/** A few missed slots must not count as lag. */
const DEFAULT_LAG_BLOCKS = 20;
const MIN_DEFAULT_LAG_SECONDS = 300;

/** The README of the networks context documents the keys. */
export function parseNetworksConfiguration(
  json: unknown,
  chainTypes: readonly ChainTypeConfigurationSchema[] = CHAIN_TYPES.map(({ configuration }) => configuration),
): NetworkConfiguration[] {
  const networks = readList(json, 'networks', (value, path) => readNetwork(value, path, chainTypes));
  refuseDuplicates('networks', networks, 'network', ({ network }) => network);
  const chainKeyOf = ({ family }: NetworkConfiguration) =>
    chainTypes.find(({ name }) => name === family)!.chainKey;
  refuseDuplicates('networks', networks, chainKeyOf, ({ family, chainId }) => `${family} ${chainId}`);
  refuseTwoPegs(networks);
  return networks;
}

function readNetwork(
  value: unknown,
  path: string,
  chainTypes: readonly ChainTypeConfigurationSchema[],
): NetworkConfiguration {
  const family = chainTypeOf(value, path, chainTypes);
  const {
    blockSeconds: usualSeconds,
    maxLagSeconds: usualLag,
    depths,
    typicalConfirmations,
  } = family.defaults ?? {};
  const hasDepths = depths !== undefined;
  const reader = new ConfigurationReader(
    value,
    path,
    ['network', 'name', family.chainKey, 'rpc_urls', ...(hasDepths ? [] : ['finality']), 'assets'],
    [
      'family',
      'finality',
      ...ACCEPTABLE_RISKS,
      'inclusion_grace_seconds',
      'block_seconds',
      'max_lag_seconds',
      'max_calls_per_second',
      'explorer_url',
      ...(hasDepths ? [] : ['confirmations']),
      ...(family.deliversDirectly ? [] : GAS_SPENDING_SETTINGS),
      ...family.settings,
    ],
  );
  const network = reader.text(
    'network',
    (text) => /^[a-z0-9][a-z0-9-]{0,31}$/.test(text),
    'must be 1 to 32 lower-case letters, digits and hyphens',
  );
  const name = readLabel(reader, 'name', 64);
  const chainId = family.readChainId(reader);
  const rpcUrls = readUrls(reader);
  const ownFinality = reader.has('finality') ? readFinality(reader, typicalConfirmations) : null;
  const acceptance = reader.has('confirmations') ? readConfirmationTable(reader, ownFinality!) : null;
  const grace = readGrace(reader, family);
  const blockSeconds = reader.number('block_seconds', 0.05, 3_600, usualSeconds ?? DEFAULT_BLOCK_SECONDS);
  const defaultLagSeconds =
    usualLag ?? Math.max(MIN_DEFAULT_LAG_SECONDS, Math.ceil(DEFAULT_LAG_BLOCKS * blockSeconds));
  const maxLagSeconds = reader.integer('max_lag_seconds', 10, 86_400, Math.min(86_400, defaultLagSeconds));
  const assets = reader.list('assets', (asset, at) =>
    readAsset(asset, at, { network, family, finality: ownFinality, acceptance, endpoints: rpcUrls.length }),
  );
  const finality = ownFinality ?? minimumFinalityOf(assets);
  const acceptedRisks = readAcceptedRisks(reader, { rpcUrls, finality, assets });
  refuseDuplicates(`${path}.assets`, assets, 'token', ({ token }) => token);
  refuseDuplicates(`${path}.assets`, assets, 'symbol', ({ symbol }) => symbol);
  refuseTwoNatives(path, assets);
  refuseWrongNative(path, chainId, family, assets);
  const native = family.nativeSymbols[chainId] ?? family.nativeSymbol ?? assets.find(isNative)?.symbol;
  return {
    network,
    name,
    family: family.name,
    hidesNativeTransfers: family.hidesNativeTransfers,
    deliversDirectly: family.deliversDirectly,
    chainId,
    rpcUrls,
    ...(reader.has('max_calls_per_second') && {
      maxCallsPerSecond: reader.integer('max_calls_per_second', 1, 10_000),
    }),
    finality,
    ...(acceptance && { acceptedAfter: acceptance[0]!.confirmations }),
    acceptedRisks,
    ...grace,
    blockSeconds,
    maxLagSeconds,
    ...(native !== undefined && { nativeCoin: { symbol: native, decimals: family.nativeDecimals } }),
    ...readExplorer(reader),
    ...(family.hasBrowserWallets && { browserWallets: readBrowserWallets(reader, chainId, native) }),
    ...readGasSpending(reader, family.nativeDecimals),
    ...family.readChainTypeSettings(reader),
    assets,
  };
}

function chainTypeOf(value: unknown, path: string, chainTypes: readonly ChainTypeConfigurationSchema[]) {
  const named = (value as { family?: unknown } | null)?.family;
  const family = named === undefined ? chainTypes[0] : chainTypes.find(({ name }) => name === named);
  if (family !== undefined) return family;
  const names = chainTypes.map(({ name }) => `"${name}"`).join(' or ');
  throw new InvalidNetworksConfiguration(`${path}.family`, `must be ${names}`);
}

function readGrace(reader: ConfigurationReader, { followsPending }: ChainTypeConfigurationSchema) {
  const read = (most: number, usual: number) => reader.integer('inclusion_grace_seconds', 0, most, usual);
  return followsPending
    ? { inclusionGraceSeconds: 0, pendingGraceSeconds: read(604_800, DEFAULT_PENDING_GRACE_SECONDS) }
    : { inclusionGraceSeconds: read(3_600, DEFAULT_INCLUSION_GRACE_SECONDS) };
}

interface AssetsNetwork {
  readonly network: string;
  readonly family: ChainTypeConfigurationSchema;
  readonly finality: Finality | null;
  readonly acceptance: ConfirmationTable | null;
  readonly endpoints: number;
}

function readAsset(
  value: unknown,
  path: string,
  { network, family, finality, acceptance, endpoints }: AssetsNetwork,
): Asset {
  const reader = new ConfigurationReader(
    value,
    path,
    ['token', 'symbol', 'name', 'decimals', 'minimum_amount'],
    ['peg', 'agreement_above', 'confirmations_by_amount'],
  );
  const symbol = reader.text(
    'symbol',
    (text) => ASSET_SYMBOL_PATTERN.test(text),
    'must be 1 to 12 letters and digits, like USDC, or with a suffix, like USDC.e or USD+',
  );
  // A price in MNT must not mean both the Mongolian tugrik and a token with that symbol.
  if (isCurrency(symbol)) throw reader.toError('symbol', 'must not be a currency code');
  const native = reader.raw('token') === symbol && !symbol.startsWith('0x');
  const token = native ? symbol : family.readToken(reader);
  const name = readLabel(reader, 'name', 64);
  const decimals = reader.integer('decimals', 0, 36);
  if (native && decimals !== family.nativeDecimals) {
    throw reader.toError('decimals', `must be ${family.nativeDecimals}, the decimals of the native coin`);
  }
  const minimumAmount = reader.amount('minimum_amount', decimals);
  if (reader.has('agreement_above') && endpoints < 2) {
    throw reader.toError(
      'agreement_above',
      'requires at least two rpc_urls, so that endpoints can be compared',
    );
  }
  const peg = reader.has('peg')
    ? reader.text('peg', isCurrency, 'must be the ISO 4217 code of a currency, like USD')
    : undefined;
  return {
    uniqueAssetId: `n${network}_t${token}`,
    network,
    token: canonicalAddress(token),
    symbol,
    name,
    decimals,
    minimumAmount,
    ...(peg !== undefined && { peg }),
    ...(reader.has('agreement_above') && {
      crossCheckAbove: reader.amount('agreement_above', decimals),
    }),
    ...(acceptance === null
      ? readConfirmationsByAmount(reader, decimals, finality, family.defaults?.depths)
      : assetConfirmationTable(reader, acceptance, decimals, peg)),
  };
}

/** Rejects two native coins of a network, because each transfer would count for both. */
function refuseTwoNatives(path: string, assets: readonly Asset[]): void {
  const [first, second] = assets.flatMap((asset, i) => (isNative(asset) ? [i] : []));
  if (second === undefined) return;
  throw new InvalidNetworksConfiguration(
    `${path}.assets[${second}].token`,
    `is a second native coin besides ${path}.assets[${first}].token`,
  );
}

/** ETH on Polygon, for example, would be POL at the price of ETH. */
function refuseWrongNative(
  path: string,
  chainId: number,
  { nativeSymbols }: ChainTypeConfigurationSchema,
  assets: readonly Asset[],
): void {
  const coin = nativeSymbols[chainId];
  const wrong = assets.findIndex((asset) => isNative(asset) && asset.symbol !== coin);
  if (coin === undefined || wrong === -1) return;
  throw new InvalidNetworksConfiguration(
    `${path}.assets[${wrong}].symbol`,
    `must be ${coin}, the native coin of its chain`,
  );
}

/** Requires the same peg for a symbol on every network, because prices are looked up by symbol. */
function refuseTwoPegs(networks: readonly NetworkConfiguration[]): void {
  const first = new Map<string, Asset>();
  networks.forEach(({ assets }, i) =>
    assets.forEach((asset, j) => {
      const other = first.get(asset.symbol) ?? asset;
      first.set(asset.symbol, other);
      if (other.peg === asset.peg) return;
      throw new InvalidNetworksConfiguration(
        `networks[${i}].assets[${j}].peg`,
        `must be the same as that of ${asset.symbol} on ${other.network}`,
      );
    }),
  );
}

function readLabel(reader: ConfigurationReader, key: string, longest: number): string {
  const accepts = (text: string) =>
    text.length <= longest && /^[\p{L}\p{N}\p{P}\p{S}]+(?: [\p{L}\p{N}\p{P}\p{S}]+)*$/u.test(text);
  return reader.text(key, accepts, `must be 1 to ${longest} visible characters`);
}
