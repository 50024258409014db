import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { requireMinimumAmount } from '../../domain/requests/minimum-amount-rule.js';
import { PaymentRequest } from '../../domain/requests/payment-request.js';
import { AssignAddress } from './assign-address.js';
import {
  drawn,
  newFacts,
  type Drawn,
  type NewRequestInput,
  OpenPaymentRequest,
  type KeyedInput,
} from './open-payment-request.js';
import type { PaymentRequestToSign, PaymentRequestView } from './payment-request-view.js';
import { PaymentTokens } from './payment-tokens.js';
import { PaymentsSettings } from './payments-settings.js';
import { readAmount } from '#shared/kernel/read-price.js';

export interface OneAssetInput extends NewRequestInput {
  /** Decimal string in whole units of the asset. */
  readonly amount: string;
  readonly uniqueAssetId: string;
}

export interface CreatePaymentRequestInput extends OneAssetInput, KeyedInput<PaymentRequestView> {}

/** Assigns a deposit address and opens the window for one payment in one asset. */
@Injectable()
export class CreatePaymentRequest {
  constructor(
    private readonly openRequest: OpenPaymentRequest,
    private readonly assignAddress: AssignAddress,
    private readonly tokens: PaymentTokens,
    private readonly settings: PaymentsSettings,
  ) {}

  /** @throws not_found, validation_failed, settlement_address_missing, state_conflict, unavailable */
  create(input: CreatePaymentRequestInput): Promise<PaymentRequestView> {
    return this.openRequest.open(input, (point) => this.draw(input, point));
  }

  /**
   * Makes a request in one asset, with its address and the token that carries the payment. Stores nothing.
   * @throws validation_failed, settlement_address_missing, unavailable
   */
  draw(input: OneAssetInput, point: CollectingPoint): Drawn<PaymentRequestView> {
    const asset = this.assignAddress.option(point, input.uniqueAssetId);
    const amount = readAmount(input.amount, asset.symbol, asset.decimals);
    requireMinimumAmount(amount, asset, 'must be');
    const price = { amount: formatAmount(amount, asset.decimals), coinCode: asset.symbol };
    const facts = newFacts(point, input, price, [asset]);
    return drawn(this.assignAddress.numbering(point, asset), (taken) => {
      const selection = this.assignAddress.assign(point, { asset, amount }, facts.id, input.at, taken);
      const request = PaymentRequest.open(facts, selection, this.settings.paymentWindowSeconds);
      const view = viewOf(request);
      // Signed before it is stored: an order that no token can carry leaves nothing behind.
      const token = this.tokens.issue(view, point.merchant);
      return { request, token, answer: { ...view, token } };
    });
  }
}

function viewOf(request: PaymentRequest): PaymentRequestToSign {
  const { status, expiresAt } = request.snapshot();
  const { network, uniqueAssetId, currency, decimals, amount, depositAddress } = request.selected!;
  const address = addressForPeople(depositAddress.address);
  const asked = { network, uniqueAssetId, currency, decimals, amount, address };
  const { underpaymentTolerance: _, ...facts } = request.facts;
  return { ...facts, ...asked, type: 'fixed', status, fulfilled: false, expiresAt };
}
