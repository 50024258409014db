import { formatAmount, parseAmount } from '#shared/kernel/amount.js';
import { NATIVE_COIN } from '../chain/payer-contract.js';
import type { SandboxAsset, SandboxFile, SandboxNetwork } from '../folder/sandbox-folder.js';
import { CannotStart } from '../processes/child-process.js';
import type { PayArguments } from './pay-arguments.js';
import { tokenOf } from './payer-wallet.js';

/** The amount of the payment request, in smallest units. */
export interface RequestedAmount {
  readonly asset: SandboxAsset;
  readonly amount: bigint;
}

/**
 * The asset named by `--asset` or `--native`; undefined without either.
 * @throws CannotStart
 */
export function namedAsset({ networks }: SandboxFile, args: PayArguments): SandboxAsset | undefined {
  const { asset: symbol, native } = args;
  const assets = networks.flatMap((network) => network.assets);
  const isNamed = native === true ? isNativeCoin : bySymbol(symbol ?? '');
  if (native !== true && symbol === undefined) return undefined;
  const found = assets.find(isNamed);
  if (found !== undefined) return found;
  if (native === true) throw new CannotStart('--native: no network here lists its native coin as an asset.');
  const known = assets.map((one) => one.symbol).join(', ');
  throw new CannotStart(`--asset must be one of ${known}, not ${symbol}.`);
}

/**
 * The named asset on the request's network (default: the requested asset).
 * @throws CannotStart
 */
export function assetToPay(
  { network, assets }: SandboxNetwork,
  named: SandboxAsset | undefined,
  asked: SandboxAsset,
): SandboxAsset {
  if (named === undefined) return asked;
  const found = assets.find(isNativeCoin(named) ? isNativeCoin : bySymbol(named.symbol));
  if (found !== undefined) return found;
  throw new CannotStart(`${network}, the network of this payment, has no ${named.symbol}.`);
}

/**
 * In smallest units of `asset`. A wrong token is paid in the requested number of whole units. For a native coin that
 * would be far too much, so it requires `--amount`.
 * @throws CannotStart
 */
export function amountToPay(args: PayArguments, asset: SandboxAsset, asked: RequestedAmount): bigint {
  if (args.amount !== undefined) return units(args.amount, asset, '--amount: ');
  if (asset === asked.asset) return asked.amount;
  if (isNativeCoin(asset)) {
    throw new CannotStart(
      `--native needs --amount (like 0.05) here: ${asked.asset.symbol} is asked, so no amount of ` +
        `${asset.symbol} follows.`,
    );
  }
  const number = formatAmount(asked.amount, asked.asset.decimals);
  return units(number, asset, 'Say how much with --amount: ');
}

/**
 * @param at start of the error message
 * @throws CannotStart
 */
export function units(amount: string, { decimals, symbol }: SandboxAsset, at = ''): bigint {
  const value = parseAmount(amount, decimals);
  if (typeof value === 'bigint') return value;
  throw new CannotStart(
    `${at}"${amount}" is not an amount of ${symbol}: it must be above zero, like 12.5, with at most ` +
      `${decimals} fraction digits.`,
  );
}

export function isNativeCoin({ unique_asset_id }: SandboxAsset): boolean {
  return tokenOf(unique_asset_id) === NATIVE_COIN;
}

function bySymbol(symbol: string) {
  return (one: SandboxAsset) => one.symbol.toLowerCase() === symbol.toLowerCase();
}
