import { Injectable } from '@nestjs/common';
import { isUuid } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PaymentFinder, type FoundPayment } from '../../contract/payment-finder.js';

/** What a text may name; what it cannot be is absent. */
export interface SearchedFor {
  /** Of the payment request itself. */
  readonly id?: string;
  /** As it was typed: the merchant's order id, or a checkout session. */
  readonly text: string;
  /** Of an address or a transaction, as networks spell it. */
  readonly hex?: string;
}

export abstract class PaymentSearch {
  /** Newest first, at most twenty. One statement, by indexes alone. @param networks that addresses and transactions may be of */
  abstract find(scope: Scope, wanted: SearchedFor, networks: readonly string[]): Promise<FoundPayment[]>;
}

@Injectable()
export class FindPayments extends PaymentFinder {
  constructor(
    private readonly search: PaymentSearch,
    private readonly catalogue: NetworkCatalogue,
  ) {
    super();
  }

  override async find(scope: Scope, typed: string): Promise<FoundPayment[]> {
    const text = typed.trim();
    if (text === '') return [];
    const networks = this.catalogue.networks().map(({ network }) => network);
    const wanted: SearchedFor = {
      text,
      ...(isUuid(text) && { id: text.toLowerCase() }),
      ...(/^0x[0-9a-f]+$/i.test(text) && { hex: text.toLowerCase() }),
    };
    return this.search.find(scope, wanted, networks);
  }
}
