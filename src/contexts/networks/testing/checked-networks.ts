import { startTestChain, type TestChain } from '#test/support/chain.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { ChainFamilies, type ChainFamily } from '../application/chain-families.js';
import { CheckNetwork } from '../application/check-network.js';
import { ProveEndpoints } from '../application/prove-endpoints.js';
import { NetworkReadiness } from '../domain/network-readiness.js';
import { EndpointPool } from '../infrastructure/endpoints/endpoint-pool.js';
import { EVM_ENDPOINTS } from '../infrastructure/evm/rpc/block-answers.js';
import { ForwarderDerivations } from '../infrastructure/evm/forwarders/forwarder-derivation.js';
import { JsonRpc } from '../infrastructure/json-rpc/json-rpc.js';
import { RpcChainInspection } from '../infrastructure/evm/examination/rpc-chain-inspection.js';
import type { NetworksSettings } from '../infrastructure/networks-settings.js';
import { PostgresKnownChains } from '../infrastructure/persistence/postgres-known-chains.js';
import { NetworkChecks } from '../infrastructure/work/network-checks.js';
import { deployFactory, deployTestToken } from './chain-contracts.js';
import { sampleAsset, settingsFor } from './sample-configuration.js';
import type { Misbehaviour } from './stub-node.js';

/** A chain with token and factory, and the checks that a service makes of it, each time on a database of its own. */
export class CheckedNetworks {
  platform!: TestPlatform;

  private constructor(
    readonly chain: TestChain,
    readonly token: string,
  ) {}

  static async start(): Promise<CheckedNetworks> {
    const chain = await startTestChain();
    const token = await deployTestToken(chain.url, 6);
    await deployFactory(chain.url);
    return new CheckedNetworks(chain, token.toLowerCase());
  }

  async openDatabase(): Promise<void> {
    this.platform = await openTestDatabase();
  }

  checksOf(settings: NetworksSettings) {
    const readiness = new NetworkReadiness();
    const derivations = new ForwarderDerivations(settings);
    const rpc = new JsonRpc(settings);
    const pool = new EndpointPool(settings, rpc, [EVM_ENDPOINTS]);
    const known = new PostgresKnownChains(this.platform.database);
    const inspection = new RpcChainInspection(settings, known, derivations, rpc, pool);
    const families = new ChainFamilies(settings.networks, [
      { name: 'evm', inspection } as Partial<ChainFamily> as ChainFamily,
    ]);
    const prove = new ProveEndpoints(families, known);
    const check = new CheckNetwork(families, prove, readiness);
    const checks = new NetworkChecks(settings, check, readiness);
    return { checks, check, readiness, pool };
  }

  settingsOf(changes: object = {}): NetworksSettings {
    return settingsFor(this.chain.url, { assets: [sampleAsset({ token: this.token })], ...changes });
  }
}

/** A stub that answers as the node there does. */
export function passOnTo(url: string): Misbehaviour {
  return (response, request) => {
    void fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
      .then((answer) => answer.text())
      .then((text) => response.setHeader('content-type', 'application/json').end(text));
  };
}

/** For a minute at most. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 600 && !isSo(); i += 1) await new Promise((resolve) => setTimeout(resolve, 100));
}
