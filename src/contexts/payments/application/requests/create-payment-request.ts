import { Injectable } from '@nestjs/common';
import { parseAmount, formatAmount } from '../../../../shared/kernel/amount.js';
import type { Asset } from '../../../../shared/kernel/asset.js';
import { invalidField } from '../../../../shared/kernel/domain-error.js';
import { newId, type PaymentRequestId, type PointOfSaleId } from '../../../../shared/kernel/ids.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { addressForPeople } from '../../../networks/contract/address-spelling.js';
import type { CollectingPoint } from '../../../point-of-sale/contract/points-of-sale.js';
import { PaymentRequest } from '../../domain/requests/payment-request.js';
import { AssignAddress } from './assign-address.js';
import { PaymentWindow, OpenPaymentRequest, type Draft } from './open-payment-request.js';
import type { Order } from './order.js';
import type { PaymentRequestToSign, PaymentRequestView } from './payment-request-view.js';
import { PaymentTokens } from './payment-tokens.js';
import { amountSentence } from './read-price.js';

export interface CreatePaymentRequestInput {
  readonly scope: Scope;
  readonly pointOfSaleId: PointOfSaleId;
  /** Decimal string in whole units of the asset. */
  readonly amount: string;
  readonly uniqueAssetId: string;
  readonly referenceId?: string;
  readonly order?: Order;
  /** When the credential was proven, by the database's clock: the request's birth. */
  readonly at: Date;
}

/** Assigns a deposit address and opens the window for one payment in one asset. */
@Injectable()
export class CreatePaymentRequest {
  constructor(
    private readonly openRequest: OpenPaymentRequest,
    private readonly assignAddress: AssignAddress,
    private readonly tokens: PaymentTokens,
    private readonly window: PaymentWindow,
  ) {}

  /** @throws not_found, validation_failed, settlement_address_missing, state_conflict, unavailable */
  execute(input: CreatePaymentRequestInput): Promise<PaymentRequestView> {
    return this.openRequest.execute(input.scope, input.pointOfSaleId, (point) => this.draw(input, point));
  }

  private draw(input: CreatePaymentRequestInput, point: CollectingPoint): Draft<PaymentRequestView> {
    const asset = this.assignAddress.option(point, input.uniqueAssetId);
    const amount = amountOf(input.amount, asset);
    const id = newId<PaymentRequestId>();
    const request = PaymentRequest.open(
      {
        id,
        organizationId: point.organizationId,
        accountId: point.accountId,
        pointOfSaleId: point.id,
        ...(input.referenceId === undefined ? {} : { referenceId: input.referenceId }),
        ...(input.order === undefined ? {} : { order: input.order }),
        createdAt: input.at,
      },
      this.assignAddress.execute(point, { asset, amount }, id, input.at),
      this.window.seconds,
    );
    const view = viewOf(request, input.order);
    // Signed before it is stored: an order that no token can carry leaves nothing behind.
    const token = this.tokens.issue(view, point.merchant);
    return { request, token, answer: { ...view, token } };
  }
}

function amountOf(text: string, asset: Asset): bigint {
  const amount = parseAmount(text, asset.decimals);
  if (typeof amount !== 'bigint')
    throw invalidField('amount', amount, amountSentence(amount, asset.symbol, asset.decimals));
  if (amount < asset.minimumAmount) {
    const least = formatAmount(asset.minimumAmount, asset.decimals);
    throw invalidField('amount', 'minimum_amount', `must be at least ${least} ${asset.symbol}`);
  }
  return amount;
}

function viewOf(request: PaymentRequest, order: Order | undefined): PaymentRequestToSign {
  const { order: _stored, ...facts } = request.facts;
  const { status, expiresAt } = request.snapshot();
  const { network, uniqueAssetId, currency, decimals, amount, depositAddress } = request.selected!;
  return {
    ...facts,
    ...{
      network,
      uniqueAssetId,
      currency,
      decimals,
      amount,
      address: addressForPeople(depositAddress.address),
    },
    ...(order === undefined ? {} : { order }),
    ...{ type: 'fixed', status, expiresAt },
  };
}
