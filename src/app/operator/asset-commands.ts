import { FailWithdrawnPaymentRequests } from '../../contexts/payments/application/requests/fail-withdrawn-payment-requests.js';
import type { NetworkConfiguration } from '../../contexts/networks/domain/network-configuration.js';
import { isNative } from '../../shared/kernel/asset.js';
import { SettingReader } from '../../shared/platform/settings/setting-reader.js';
import { readNetworksFile } from '../settings.js';
import type { Command } from './command.js';

export const assetCommands: Command[] = [
  {
    words: 'asset list',
    about: 'List the assets of NETWORKS_FILE with their networks; asks no endpoint.',
    async runAlone(_, environment) {
      const reader = new SettingReader(environment);
      const networks = reader.parsed('NETWORKS_FILE', readNetworksFile) ?? [];
      reader.finish();
      return { data: networks.flatMap(presentAssets) };
    },
  },
  {
    words: 'asset withdraw',
    about:
      'Fail the open requests of an asset that is no longer in NETWORKS_FILE, once every process runs without it.',
    arguments: ['unique-asset-id'],
    async run(context, args) {
      const failed = await context
        .get(FailWithdrawnPaymentRequests, { strict: false })
        .execute(args.text('unique-asset-id'));
      return { data: { failed } };
    },
  },
];

function presentAssets({ network, assets }: NetworkConfiguration) {
  return assets.map((asset) => ({
    network,
    symbol: asset.symbol,
    unique_asset_id: asset.uniqueAssetId,
    decimals: asset.decimals,
    native: isNative(asset),
  }));
}
