import type { ChainReader, SecondEndpoint } from './chain-reader.js';
import type { PendingTransfers } from './pending-transfers.js';
import type { TransactionLookup } from './transaction-lookup.js';

/** The chain of one network. */
export interface Chain {
  readonly reader: ChainReader;
  readonly secondEndpoint: SecondEndpoint;
  readonly lookup: TransactionLookup;
  /** Present on networks with `pendingGraceSeconds`. */
  readonly pending?: PendingTransfers;
}

/** The chains of the configured networks. */
export abstract class Chains {
  /** @throws ChainUnavailable if the network is not configured */
  abstract of(network: string): Chain;
}
