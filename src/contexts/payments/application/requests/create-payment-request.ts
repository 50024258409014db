import { Injectable } from '@nestjs/common';
import { DrawPaymentRequest, type OneAssetInput } from './draw-payment-request.js';
import { OpenPaymentRequest, type KeyedInput } from './open-payment-request.js';
import type { PaymentRequestView } from './payment-request-view.js';

export interface CreatePaymentRequestInput extends OneAssetInput, KeyedInput<PaymentRequestView> {}

/** Assigns a deposit address and opens the window for one payment in one asset. */
@Injectable()
export class CreatePaymentRequest {
  constructor(
    private readonly openRequest: OpenPaymentRequest,
    private readonly draw: DrawPaymentRequest,
  ) {}

  /** @throws not_found, validation_failed, settlement_address_missing, state_conflict, unavailable */
  execute(input: CreatePaymentRequestInput): Promise<PaymentRequestView> {
    return this.openRequest.execute(input, (point) => this.draw.execute(input, point));
  }
}
