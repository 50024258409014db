import type { SandboxFile } from '../folder/sandbox-folder.js';

/** Values that the sandbox really has stand for examples at /docs, by the names of fields and parameters. */
export function examplesOf(file: SandboxFile): Record<string, string> {
  const { unique_asset_id } = file.networks[0]!.assets[0]!;
  return {
    api_key: file.api_key,
    api_secret: file.api_secret,
    posID: file.pos_id,
    accountID: file.account_id,
    account_id: file.account_id,
    unique_asset_id,
    payment_option: unique_asset_id,
    payment_options: unique_asset_id,
    // A stablecoin needs no market's price for it.
    coin_code: 'USD',
    // Where `npm run listen` listens.
    url: 'http://127.0.0.1:4100/',
  };
}
