import { sendHttpRequest } from '../http-exchange.js';
import { CommandFailed } from './command-failed.js';
import type { SandboxAsset, SandboxFile } from './connection.js';

export interface Transfer {
  readonly address: string;
  readonly uniqueAssetId: string;
  /** Amount in whole units of the asset, as a decimal string. */
  readonly amount: string;
}

/** Requests a payment from the sandbox's wallet. @returns the transfer as text for the terminal @throws CommandFailed */
export async function payFromWallet(
  sandbox: SandboxFile & { wallet_url: string },
  { address, uniqueAssetId, amount }: Transfer,
): Promise<string> {
  const asset = sandboxAssetOf(sandbox, uniqueAssetId);
  const units = unitsOf(amount, asset);
  const response = await sendHttpRequest({
    url: `${sandbox.wallet_url}/payments`,
    method: 'POST',
    headers: new Headers({ 'content-type': 'application/json' }),
    body: JSON.stringify({ unique_asset_id: asset.unique_asset_id, address, amount: units.toString() }),
  }).catch(() => {
    throw new CommandFailed(
      `The sandbox's wallet at ${sandbox.wallet_url} does not respond. Check that the sandbox is running.`,
    );
  });
  const { message } = (await response.json()) as { message?: string };
  if (!response.ok) throw new CommandFailed(`The sandbox's wallet rejected the payment. ${message}`);
  return `${amount} ${asset.symbol} to ${address}`;
}

export function sandboxAssetOf(sandbox: SandboxFile, id: string): SandboxAsset {
  const assets = sandbox.networks.flatMap((network) => network.assets);
  const asset = assets.find(({ unique_asset_id: own }) => own.toLowerCase() === id.toLowerCase());
  if (asset === undefined) throw new CommandFailed(`The sandbox's wallet does not hold the asset ${id}.`);
  return asset;
}

/** Converts an amount to the asset's smallest units. @throws CommandFailed */
function unitsOf(amount: string, { decimals, symbol }: SandboxAsset): bigint {
  const [, whole, fraction = ''] = /^(\d{1,60})(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === undefined || fraction.length > decimals) {
    throw new CommandFailed(
      `The amount ${amount} is invalid. ${symbol} amounts have at most ${decimals} decimals, such as 12.5.`,
    );
  }
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
