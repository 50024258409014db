/** A chain as its id (EIP-155) and the hash of its block 0 tell it apart from all others. */
export interface ChainIdentity {
  readonly chainId: number;
  /** 0x-prefixed lower-case hex. */
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

  static otherThanConfigured(
    network: string,
    endpointName: string,
    configured: number,
    found: ChainIdentity,
  ): ForeignChain {
    return new ForeignChain(
      network,
      endpointName,
      `chain_id is configured as ${configured}, but ${endpointName} serves chain ${found.chainId} ` +
        `(genesis ${found.genesisHash}). Correct chain_id or rpc_urls.`,
    );
  }

  static otherThanStored(
    network: string,
    endpointName: string,
    stored: ChainIdentity,
    found: ChainIdentity,
  ): ForeignChain {
    return new ForeignChain(
      network,
      endpointName,
      `the database belongs to chain ${stored.chainId} with genesis ${stored.genesisHash}, ` +
        `but ${endpointName} serves chain ${found.chainId} with genesis ${found.genesisHash}. ` +
        'Point rpc_urls at the chain that the database was filled from. ' +
        'In the sandbox, `npm run reset` starts over with a new database and a new chain.',
    );
  }

  static underAnotherName(
    network: string,
    endpointName: string,
    knownAs: string,
    found: ChainIdentity,
  ): ForeignChain {
    return new ForeignChain(
      network,
      endpointName,
      `${endpointName} serves chain ${found.chainId} with genesis ${found.genesisHash}, which the database knows ` +
        `as network ${knownAs}. Under two names each transfer would count twice; configure it as ${knownAs}.`,
    );
  }

  /** Before anything is stored nobody can tell which of them is meant. */
  static endpointsDiffer(network: string, endpointName: string, found: ChainIdentity): ForeignChain {
    return new ForeignChain(
      network,
      endpointName,
      `its endpoints serve different chains with id ${found.chainId}; the genesis of ${endpointName} is ` +
        `${found.genesisHash}. Leave only those of the chain you mean in rpc_urls.`,
    );
  }
}

/** @param stored for this network, or for another one that has the found chain @returns null where it is the chain */
export function foreignness(
  network: string,
  endpointName: string,
  configuredChainId: number,
  stored: KnownChain | null,
  found: ChainIdentity,
): ForeignChain | null {
  if (found.chainId !== configuredChainId) {
    return ForeignChain.otherThanConfigured(network, endpointName, configuredChainId, found);
  }
  if (stored === null) return null;
  if (stored.network !== network) {
    return ForeignChain.underAnotherName(network, endpointName, stored.network, found);
  }
  const same = stored.chainId === found.chainId && stored.genesisHash === found.genesisHash;
  return same ? null : ForeignChain.otherThanStored(network, endpointName, stored, found);
}
