import { describe, expect, it } from '@jest/globals';
import { parseNetworksConfiguration } from '../../contexts/networks/infrastructure/configuration/parse-networks-configuration.js';
import { sandboxNetwork, sandboxNetworkConfiguration } from './sandbox-chain.js';

const URL = 'http://127.0.0.1:8546';

describe('The sandbox’s network', () => {
  it('lists to programs the assets that its configuration gives the service, the native coin last', () => {
    const [configured] = parseNetworksConfiguration(sandboxNetworkConfiguration(URL));

    const said = sandboxNetwork(URL).assets;

    expect(configured!.assets.map(({ uniqueAssetId }) => uniqueAssetId)).toEqual(
      said.map(({ unique_asset_id }) => unique_asset_id),
    );
    expect(configured!.assets.map(({ symbol, decimals }) => [symbol, decimals])).toEqual(
      said.map(({ symbol, decimals }) => [symbol, decimals]),
    );
    expect(configured!.assets.at(-1)).toMatchObject({
      uniqueAssetId: 'nsandbox_tETH',
      token: 'ETH',
      minimumAmount: 100_000_000_000_000n,
    });
    expect(configured!.assets.at(-1)!.peg).toBeUndefined();
  });
});
