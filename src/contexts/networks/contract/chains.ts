import { type ChainReader, ChainUnavailable, type SecondEndpoint } from './chain-reader.js';
import type { AuthorizedTransfers } from './authorized-transfers.js';
import type { DepositAddresses } from './deposit-addresses.js';
import type { MerchantWallets, PayoutAddressRules } from './payout-address-rules.js';
import type { PendingTransfers } from './pending-transfers.js';
import type { SettlementPlanning } from './settlement-planning.js';
import type { TransactionLookup } from './transaction-lookup.js';
import type { TransferPlanning } from './transfer-planning.js';

export interface Chain {
  readonly reader: ChainReader;
  readonly secondEndpoint: SecondEndpoint;
  readonly lookup: TransactionLookup;
  /** Present on networks with `pendingGraceSeconds`. */
  readonly pending?: PendingTransfers;
  readonly depositAddresses: DepositAddresses;
  readonly payoutAddresses: PayoutAddressRules;
  /** Absent if settlement terms name addresses instead. */
  readonly wallets?: MerchantWallets;
  /** Absent if funds reach the merchant without a payout. */
  readonly settlementPlanning?: SettlementPlanning;
  /** Absent if the service sends no transactions. */
  readonly transferPlanning?: TransferPlanning;
  /** Absent if no asset of the chain type supports payments by signature. */
  readonly authorizedTransfers?: AuthorizedTransfers;
}

const MISSING_PART_REASONS = {
  settlementPlanning: 'its chain type does not support settlements.',
  transferPlanning: 'the service cannot send transactions on this network.',
  authorizedTransfers: 'it does not accept payments by signature.',
} as const;

export abstract class Chains {
  abstract find(network: string): Chain | undefined;

  /** @throws ChainUnavailable if the network is not configured */
  of(network: string): Chain {
    const chain = this.find(network);
    if (chain === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    return chain;
  }

  /** @throws ChainUnavailable if the network is not configured, or its chain type lacks this part */
  require<Part extends keyof typeof MISSING_PART_REASONS>(
    network: string,
    part: Part,
  ): NonNullable<Chain[Part]> {
    const found = this.of(network)[part];
    if (found === undefined) throw new ChainUnavailable(network, MISSING_PART_REASONS[part]);
    return found;
  }
}
