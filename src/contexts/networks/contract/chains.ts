import { type ChainReader, ChainUnavailable, type SecondEndpoint } from './chain-reader.js';
import type { AuthorizedTransfers } from './authorized-transfers.js';
import type { DepositAddresses } from './deposit-addresses.js';
import type { MerchantWallets, PayoutAddresses } from './payout-addresses.js';
import type { PendingTransfers } from './pending-transfers.js';
import type { SettlementPlanning } from './settlement-planning.js';
import type { TransactionLookup } from './transaction-lookup.js';
import type { TransferPlanning } from './transfer-planning.js';

/** Everything that the service can do on the chain of one network. */
export interface Chain {
  readonly reader: ChainReader;
  readonly secondEndpoint: SecondEndpoint;
  readonly lookup: TransactionLookup;
  /** Tracking of transfers before they are in a block. Present on networks with `pendingGraceSeconds`. */
  readonly pending?: PendingTransfers;
  readonly depositAddresses: DepositAddresses;
  readonly payoutAddresses: PayoutAddresses;
  /** Merchants' wallets named in settlement terms. Absent if settlement terms name addresses instead. */
  readonly wallets?: MerchantWallets;
  /** Planning of payouts. Absent if funds reach the merchant without a payout. */
  readonly settlementPlanning?: SettlementPlanning;
  /** Planning of the service's own transfers. Absent if the service sends no transactions. */
  readonly transferPlanning?: TransferPlanning;
  /** Payments by signature. Absent if no asset of the chain type supports them. */
  readonly authorizedTransfers?: AuthorizedTransfers;
}

/** Error texts for the parts of a chain that some chain types lack. */
const REASONS = {
  settlementPlanning: 'its chain type does not support settlements.',
  transferPlanning: 'the service cannot send transactions on this network.',
  authorizedTransfers: 'it does not accept payments by signature.',
} as const;

/** The chains of the configured networks. */
export abstract class Chains {
  /** @returns undefined if the network is not configured */
  abstract find(network: string): Chain | undefined;

  /** @throws ChainUnavailable if the network is not configured */
  of(network: string): Chain {
    const chain = this.find(network);
    if (chain === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    return chain;
  }

  /** @throws ChainUnavailable if the network is not configured, or its chain type lacks this part */
  require<Part extends keyof typeof REASONS>(network: string, part: Part): NonNullable<Chain[Part]> {
    const found = this.of(network)[part];
    if (found === undefined) throw new ChainUnavailable(network, REASONS[part]);
    return found;
  }
}
