import { Injectable } from '@nestjs/common';
import type { Asset } from '../../../../shared/kernel/asset.js';
import { DomainError } from '../../../../shared/kernel/domain-error.js';
import { ChainFamilies } from '../../application/chain-families.js';
import { TransactionLookup, type FoundTransaction } from '../../contract/transaction-lookup.js';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import {
  DepositAddresses,
  type DepositTerms,
  type DerivedAddress,
  type Recipient,
} from '../../contract/deposit-addresses.js';
import { PayoutAddresses } from '../../contract/payout-addresses.js';

/** Asks the lookup of the network's family. */
@Injectable()
export class TransactionLookupByFamily extends TransactionLookup {
  constructor(private readonly families: ChainFamilies) {
    super();
  }

  readHash(network: string, field: string, text: string): string {
    return this.lookup(network).readHash(network, field, text);
  }

  async find(network: string, hash: string): Promise<FoundTransaction | 'unknown'> {
    return this.lookup(network).find(network, hash);
  }

  private lookup(network: string): TransactionLookup {
    const family = this.families.of(network);
    if (family === undefined) throw new ChainUnavailable(network, 'it is not configured.');
    return family.lookup;
  }
}

/** Asks the deposit addresses of the network's family. */
@Injectable()
export class DepositAddressesByFamily extends DepositAddresses {
  constructor(private readonly families: ChainFamilies) {
    super();
  }

  derive(network: string, terms: DepositTerms, salt: string): DerivedAddress {
    const family = this.families.of(network);
    if (family === undefined) {
      const message = `Network ${network} takes no requests: it is not configured.`;
      throw new DomainError('unavailable', 'unavailable', message);
    }
    return family.depositAddresses.derive(network, terms, salt);
  }

  transferUri(asset: Asset, to: Recipient, amount: bigint): string | null {
    return this.families.of(asset.network)?.depositAddresses.transferUri(asset, to, amount) ?? null;
  }
}

/** Asks the payout addresses of the network's family. */
@Injectable()
export class PayoutAddressesByFamily extends PayoutAddresses {
  constructor(private readonly families: ChainFamilies) {
    super();
  }

  read(network: string, field: string, text: string): string {
    const family = this.families.of(network);
    if (family === undefined) throw new Error(`Network ${network} is not configured.`);
    return family.payoutAddresses.read(network, field, text);
  }
}
