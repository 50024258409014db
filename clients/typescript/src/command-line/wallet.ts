import { exchange } from '../http-exchange.js';
import { CommandFailed } from './command-failed.js';
import type { SandboxAsset, SandboxFile } from './connection.js';

export interface Transfer {
  readonly address: string;
  readonly uniqueAssetId: string;
  /** The amount in whole units, as the API writes amounts. */
  readonly amount: string;
}

/** Has the sandbox's wallet pay, within a moment. @returns what it pays, for the terminal @throws CommandFailed */
export async function askWallet(
  sandbox: SandboxFile & { wallet_url: string },
  { address, uniqueAssetId, amount }: Transfer,
): Promise<string> {
  const asset = assetOf(sandbox, uniqueAssetId);
  const units = unitsOf(amount, asset);
  const response = await exchange({
    url: `${sandbox.wallet_url}/payments`,
    method: 'POST',
    headers: new Headers({ 'content-type': 'application/json' }),
    body: JSON.stringify({ unique_asset_id: asset.unique_asset_id, address, amount: units.toString() }),
  }).catch(() => {
    throw new CommandFailed(
      `The sandbox's wallet at ${sandbox.wallet_url} does not answer. Is the sandbox running?`,
    );
  });
  const { message } = (await response.json()) as { message?: string };
  if (!response.ok) throw new CommandFailed(`The sandbox's wallet does not pay this. ${message}`);
  return `${amount} ${asset.symbol} to ${address}`;
}

export function assetOf(sandbox: SandboxFile, id: string): SandboxAsset {
  const assets = sandbox.networks.flatMap((network) => network.assets);
  const asset = assets.find(({ unique_asset_id: own }) => own.toLowerCase() === id.toLowerCase());
  if (asset === undefined) throw new CommandFailed(`The sandbox's wallet holds no ${id}.`);
  return asset;
}

/** Smallest units. @throws CommandFailed naming the amount */
function unitsOf(amount: string, { decimals, symbol }: SandboxAsset): bigint {
  const [, whole, fraction = ''] = /^(\d{1,60})(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === undefined || fraction.length > decimals) {
    throw new CommandFailed(`${amount} is no amount of ${symbol}, which has ${decimals} fraction digits.`);
  }
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
