import { Injectable } from '@nestjs/common';
import { isUuid, type PaymentRequestId, type PointOfSaleId } from '../../../../shared/kernel/ids.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';

export interface FoundPayment {
  readonly id: PaymentRequestId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly status: PaymentRequestStatus;
  readonly referenceId?: string;
  readonly createdAt: Date;
}

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

/** By whatever a payer or a colleague quotes: the request's id, a reference, an address, a transaction's hash, a checkout session. */
@Injectable()
export class FindPayments {
  constructor(
    private readonly search: PaymentSearch,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  async execute(scope: Scope, typed: string): Promise<FoundPayment[]> {
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
