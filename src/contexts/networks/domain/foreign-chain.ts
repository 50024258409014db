import { type Endpoint, spokenEndpoint } from './endpoint.js';
import type { NetworkConfiguration } from './network-configuration.js';

type Network = Pick<NetworkConfiguration, 'network' | 'chainId'>;

/** The id, by EIP-155 on EVM networks, and the hash of block 0, which distinguish a chain from all others. */
export interface ChainIdentity {
  /** The id that `NetworkConfiguration.chainId` is compared with. */
  readonly chainId: number;
  /** The chain type spells it, as those of all blocks. */
  readonly genesisHash: string;
}

export interface KnownChain extends ChainIdentity {
  readonly network: string;
}

/**
 * An endpoint serves another chain than the one the configuration or the database speaks of. Nothing may be read from
 * it. `endpointName` is as `spokenEndpoint` has it.
 */
export class ForeignChain extends Error {
  constructor(
    readonly network: string,
    readonly endpointName: string,
    message: string,
  ) {
    super(`Network ${network}: ${message}`);
    this.name = 'ForeignChain';
  }
}

/** Before anything is stored, which of the chains is meant is not known. */
export function endpointsDiffer(
  { network }: Network,
  endpoint: Endpoint,
  found: ChainIdentity,
): ForeignChain {
  const name = spokenEndpoint(endpoint);
  return new ForeignChain(
    network,
    name,
    `its endpoints serve different chains with id ${found.chainId}; the genesis of ${name} is ` +
      `${found.genesisHash}. Keep only the endpoints of the intended chain in rpc_urls.`,
  );
}

/**
 * @param stored for this network, or for another one that has the found chain
 * @param nameOf a chain id as people know it
 * @returns null where it is the chain
 */
export function foreignness(
  { network, chainId }: Network,
  endpoint: Endpoint,
  stored: KnownChain | null,
  found: ChainIdentity,
  nameOf: (chainId: number) => string,
): ForeignChain | null {
  const name = spokenEndpoint(endpoint);
  const serves = `${name} serves chain ${nameOf(found.chainId)}`;
  const foreign = (message: string) => new ForeignChain(network, name, message);
  if (found.chainId !== chainId) {
    return foreign(
      `it is configured to be on chain ${nameOf(chainId)}, but ${serves} (genesis ${found.genesisHash}). ` +
        'Correct the configured chain, or rpc_urls.',
    );
  }
  if (stored === null) return null;
  if (stored.network !== network) {
    return foreign(
      `${serves} with genesis ${found.genesisHash}, which the database knows as network ${stored.network}. ` +
        `Under two names, each transfer would count twice. Configure it as ${stored.network}.`,
    );
  }
  if (stored.chainId === found.chainId && stored.genesisHash === found.genesisHash) return null;
  return foreign(
    `the database belongs to chain ${nameOf(stored.chainId)} with genesis ${stored.genesisHash}, ` +
      `but ${serves} with genesis ${found.genesisHash}. ` +
      'Point rpc_urls at the chain that the database was filled from. ' +
      'In the sandbox, `npm run reset` starts over with a new database and a new chain.',
  );
}

/** Which chain each network was when the service first met it. */
export abstract class KnownChains {
  /**
   * Stores the chain as this network's unless one is stored, or the chain is another network's. Atomic.
   * @returns what is stored afterwards: for this network, or for the other one that has this chain
   */
  abstract remember(network: string, found: ChainIdentity): Promise<KnownChain>;
  /** Stores nothing. @returns what is stored for this network, or else for another one that has this chain */
  abstract find(network: string, found: ChainIdentity): Promise<KnownChain | null>;
}
