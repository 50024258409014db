import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { requireAmount } from '#shared/kernel/read-price.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import type { PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { AddressNumber } from '../../domain/requests/address-numbers.js';
import { requireMinimumAmount, type Selection } from '../../domain/requests/selection.js';
import { PaymentRequest } from '../../domain/requests/payment-request.js';
import { AssignAddress } from './assign-address.js';
import { buildRequestFacts, type NewRequestInput } from './new-request-facts.js';
import type { PaymentDueView, PaymentRequestFactsView, PaymentRequestView } from './payment-request-view.js';
import { PaymentTokenIssuer } from './payment-token-issuer.js';
import { PaymentsSettings } from './payments-settings.js';
import { StoreNewRequest, type CreationPlan, type StoreNewRequestInput } from './store-new-request.js';

export interface SingleAssetRequestInput extends NewRequestInput {
  readonly amount: string;
  readonly uniqueAssetId: string;
}

export type CreatePaymentRequestInput = SingleAssetRequestInput & StoreNewRequestInput<PaymentRequestView>;

@Injectable()
export class CreatePaymentRequest {
  constructor(
    private readonly storeNewRequest: StoreNewRequest,
    private readonly assignAddress: AssignAddress,
    private readonly tokens: PaymentTokenIssuer,
    private readonly settings: PaymentsSettings,
  ) {}

  create(input: CreatePaymentRequestInput): Promise<PaymentRequestView> {
    return this.storeNewRequest.store(input, (point) => this.planRequest(input, point));
  }

  planRequest(input: SingleAssetRequestInput, point: PaymentPointOfSale): CreationPlan<PaymentRequestView> {
    const asset = this.assignAddress.requirePaymentOption(point, input.uniqueAssetId);
    const amount = requireAmount(input.amount, asset.symbol, asset.decimals);
    requireMinimumAmount(amount, asset, 'must be');
    const price = { amount: formatAmount(amount, asset.decimals), coinCode: asset.symbol };
    const facts = buildRequestFacts(point, input, price, [asset]);
    const destination = this.assignAddress.requireDestination(point, asset);
    const build = (number?: AddressNumber) => {
      const selection = this.assignAddress.buildSelection(
        destination,
        { asset, amount },
        facts.id,
        input.at,
        number,
      );
      const request = PaymentRequest.open(facts, selection, this.settings.paymentWindowSeconds);
      const view = { ...toFactsView(request), ...toPaymentDueView(selection) };
      // Signing fails if the order is too long, so the token is signed before anything is stored.
      const token = this.tokens.issue(view, point.merchant);
      return { request, token, answer: { ...view, token } };
    };
    return { addresses: destination.addresses, build };
  }
}

export function toFactsView(request: PaymentRequest): PaymentRequestFactsView {
  const { status, expiresAt } = request.snapshot();
  const { underpaymentTolerance: _, ...facts } = request.facts;
  return { ...facts, type: 'fixed', status, fulfilled: false, expiresAt };
}

export function toPaymentDueView(selection: Selection): PaymentDueView {
  const { network, uniqueAssetId, currency, decimals, amount, depositAddress } = selection;
  const address = toDisplayAddress(depositAddress.address);
  return { network, uniqueAssetId, currency, decimals, amount, address };
}
