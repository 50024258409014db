import { Injectable } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { RefundableRequests } from '#contexts/payments/contract/refundable-requests.js';
import { refundByMerchantError } from '../../domain/refunds/refund-refusals.js';
import { RefundAddressParser } from './refund-address-parser.js';

export interface MerchantRefundPaymentFields {
  /** Required on networks that deliver payments to the merchant's own wallet, rejected on all other networks. */
  readonly paidTransactionHash?: string | undefined;
  readonly refundToAddress?: string | undefined;
}

/** A payment stated by the merchant, not confirmed on the chain yet. */
export interface MerchantRefundPayment {
  readonly to: string;
  readonly transactionHash: string;
}

@Injectable()
export class MerchantRefundPaymentParser {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly recipients: RefundAddressParser,
    private readonly requests: RefundableRequests,
    private readonly chains: Chains,
  ) {}

  /** Null on networks where the float pays refunds. @throws refund_by_merchant, validation_failed */
  async parseMerchantRefundPayment(
    request: PaymentRequestId,
    network: string,
    { paidTransactionHash: hash, refundToAddress }: MerchantRefundPaymentFields,
  ): Promise<MerchantRefundPayment | null> {
    if (this.catalogue.network(network)?.deliversDirectly !== true) {
      if (hash === undefined) return null;
      const sentence = `must be omitted on ${network}: the refund float pays refunds on this network.`;
      throw invalidField('paid_transaction_hash', 'delivering_network', sentence);
    }
    if (hash === undefined) throw refundByMerchantError(network);
    if (refundToAddress === undefined)
      throw invalidField(
        'refund_to_address',
        'required',
        'is required. Send the address that the transaction pays.',
      );
    const to = await this.recipients.parseRefundAddress(network, 'refund_to_address', refundToAddress);
    const transactionHash = this.chains.of(network).lookup.parseHash('paid_transaction_hash', hash);
    // A payer's own transaction may return change to the payer. Change is not a refund.
    if (await this.requests.isPaidBy(request, { network, transactionHash, to: [] }))
      throw invalidField(
        'paid_transaction_hash',
        'own_payment',
        'is a payment of this payment request. Send the transaction that pays the refund.',
      );
    return { to, transactionHash };
  }
}
