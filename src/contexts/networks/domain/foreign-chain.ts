/** A chain as its id (EIP-155) and the hash of its block 0 tell it apart from all others. */
export interface ChainIdentity {
  readonly chainId: number;
  /** 0x-prefixed lower-case hex. */
  readonly genesisHash: string;
}

/** The node serves another chain than the one the configuration or the database speaks of. Nothing may be read from it. */
export class ForeignChain extends Error {
  constructor(
    readonly network: string,
    message: string,
  ) {
    super(message);
    this.name = 'ForeignChain';
  }

  static otherThanConfigured(network: string, configured: number, found: ChainIdentity): ForeignChain {
    return new ForeignChain(
      network,
      `Network ${network}: chain_id is configured as ${configured}, but its node serves chain ${found.chainId} ` +
        `(genesis ${found.genesisHash}). Correct chain_id or rpc_urls.`,
    );
  }

  static otherThanStored(network: string, stored: ChainIdentity, found: ChainIdentity): ForeignChain {
    return new ForeignChain(
      network,
      `Network ${network}: the database belongs to chain ${stored.chainId} with genesis ${stored.genesisHash}, ` +
        `but the node serves chain ${found.chainId} with genesis ${found.genesisHash}. ` +
        'Point rpc_urls at the chain that the database was filled from. ' +
        'In the sandbox, `npm run reset` starts over with a new database and a new chain.',
    );
  }

  static underAnotherName(network: string, knownAs: string, found: ChainIdentity): ForeignChain {
    return new ForeignChain(
      network,
      `Network ${network}: the database knows chain ${found.chainId} with genesis ${found.genesisHash} ` +
        `as network ${knownAs}. Under two names each transfer would count twice; configure it as ${knownAs}.`,
    );
  }
}
