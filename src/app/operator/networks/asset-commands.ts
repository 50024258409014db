import type { INestApplicationContext } from '@nestjs/common';
import { canonicalAssetId } from '#contexts/networks/contract/address-spelling.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { FailRequestsOfRemovedAsset } from '#contexts/payments/application/requests/fail-requests-of-removed-asset.js';
import { PaymentRequests } from '#contexts/payments/domain/requests/payment-requests.js';
import { isNative } from '#shared/kernel/asset.js';
import { SettingReader } from '#shared/platform/setting-reader.js';
import { readNetworksFile } from '../../settings/settings.js';
import { selectFields } from '../command-result.js';
import type { CommandArguments, ServiceCommand, StandaloneCommand } from '../command.js';

export const listAssetsCommand: StandaloneCommand = {
  words: 'asset list',
  about: 'List the assets in NETWORKS_FILE. Calls no endpoint.',
  example: '',
  async runAlone(_, environment) {
    const reader = new SettingReader(environment);
    const networks = reader.parse('NETWORKS_FILE', readNetworksFile) ?? [];
    reader.requireValid();
    return { data: networks.flatMap(presentAssets) };
  },
};

function presentAssets({ network, assets }: NetworkConfiguration) {
  return assets.map((asset) => ({
    network,
    ...selectFields(asset, 'symbol', 'uniqueAssetId', 'decimals'),
    native: isNative(asset),
  }));
}

export const failRemovedAssetRequestsCommand: ServiceCommand = {
  words: 'asset withdraw',
  about:
    'Fail the open payment requests in an asset removed from NETWORKS_FILE. Restart every process first.',
  changes: {
    what: 'open payment requests',
    irreversible: 'A failed payment request cannot be reopened. Payers see that it has ended.',
    audited: 'around it',
    async preview(context, args) {
      const asset = await findAssetInRequests(context, args);
      const open = (await context.get(PaymentRequests).countOpenByAsset()).get(asset) ?? 0;
      if (open === 0) return null;
      return { effect: `${open} open payment requests of ${asset} will fail.`, confirmedBy: asset };
    },
  },
  example: 'nbase_t0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  arguments: { 'unique-asset-id': 'id of the asset removed from NETWORKS_FILE' },
  async run(context, args) {
    const failed = await context
      .get(FailRequestsOfRemovedAsset)
      .fail(await findAssetInRequests(context, args));
    return { data: { failed } };
  },
};

async function findAssetInRequests(
  context: INestApplicationContext,
  args: CommandArguments,
): Promise<string> {
  const typed = args.text('unique-asset-id');
  const ids = [...(await context.get(PaymentRequests).countOpenByAsset()).keys()];
  return ids.find((id) => canonicalAssetId(id) === canonicalAssetId(typed)) ?? typed;
}
