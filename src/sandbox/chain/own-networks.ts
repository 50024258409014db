import { readFileSync } from 'node:fs';
import { parseNetworksFile } from '../../contexts/networks/infrastructure/configuration/parse-networks-file.js';
import { CannotStart } from '../processes/child-process.js';
import type { SandboxNetwork } from '../folder/sandbox-folder.js';

/** The networks of the user's own `NETWORKS_FILE`. @throws CannotStart */
export function readOwnNetworks(file: string): SandboxNetwork[] {
  try {
    return parseNetworksFile(readFileSync(file, 'utf8')).map((network) => ({
      network: network.network,
      chain_id: network.chainId,
      rpc_url: network.rpcUrls[0]!,
      assets: network.assets.map(({ symbol, uniqueAssetId, decimals }) => ({
        symbol,
        unique_asset_id: uniqueAssetId,
        decimals,
      })),
    }));
  } catch (error) {
    throw new CannotStart(`NETWORKS_FILE ${file} cannot be used: ${(error as Error).message}`);
  }
}
