import { type Endpoint, endpointLabel } from './endpoint.js';
import type { NetworkConfiguration } from './network-configuration.js';

type Network = Pick<NetworkConfiguration, 'network' | 'chainId'>;

/** Chain id (EIP-155 on EVM networks) and genesis hash, which together distinguish a chain from all others. */
export interface ChainIdentity {
  readonly chainId: number;
  readonly genesisHash: string;
}

export interface KnownChain extends ChainIdentity {
  readonly network: string;
}

/** Thrown if an endpoint serves another chain than the configured or stored chain. */
export class WrongChain extends Error {
  constructor(
    readonly network: string,
    readonly endpointName: string,
    message: string,
  ) {
    super(`Network ${network}: ${message}`);
    this.name = 'ForeignChain';
  }
}

/** Error for a network without a stored chain whose endpoints disagree, so that it is unknown which chain is meant. */
export function chainDisagreementError(
  { network }: Network,
  endpoint: Endpoint,
  found: ChainIdentity,
): WrongChain {
  const name = endpointLabel(endpoint);
  return new WrongChain(
    network,
    name,
    `its endpoints serve different chains with id ${found.chainId}; the genesis of ${name} is ` +
      `${found.genesisHash}. Keep only the endpoints of the intended chain in rpc_urls.`,
  );
}

/**
 * @param stored chain stored for this network, or stored for another network and equal to the found chain
 */
export function wrongChainError(
  { network, chainId }: Network,
  endpoint: Endpoint,
  stored: KnownChain | null,
  found: ChainIdentity,
  nameOf: (chainId: number) => string,
): WrongChain | null {
  const name = endpointLabel(endpoint);
  const serves = `${name} serves chain ${nameOf(found.chainId)}`;
  const foreign = (message: string) => new WrongChain(network, name, message);
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

export abstract class KnownChains {
  /** Stores the chain for this network, unless the network already has a chain or another network has this chain. */
  abstract remember(network: string, found: ChainIdentity): Promise<KnownChain>;
  /** @returns the chain stored for this network, or else the same chain stored for another network */
  abstract find(network: string, found: ChainIdentity): Promise<KnownChain | null>;
}
