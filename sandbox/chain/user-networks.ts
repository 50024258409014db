import { readFileSync } from 'node:fs';
import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import type { SandboxAsset, SandboxNetwork } from '../folder/sandbox-folder.js';

type ListedAsset = SandboxAsset & { network: string };
type Configured = Pick<SandboxNetwork, 'network' | 'chain_id'> & { rpc_urls: string[] };

/**
 * The operator command validates the format.
 * @throws InvalidSettings
 */
export async function readUserNetworks(file: string): Promise<SandboxNetwork[]> {
  const operator = new OperatorCommandRunner({ environment: { NETWORKS_FILE: file }, actor: 'sandbox' });
  const assets = await operator.run<ListedAsset[]>('asset', 'list');
  const configured = JSON.parse(readFileSync(file, 'utf8')) as Configured[];
  return configured.map(({ network, chain_id, rpc_urls }) => ({
    network,
    chain_id,
    rpc_url: rpc_urls[0]!,
    assets: assets
      .filter((asset) => asset.network === network)
      .map(({ symbol, unique_asset_id, decimals }) => ({ symbol, unique_asset_id, decimals })),
  }));
}
