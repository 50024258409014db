import { Injectable } from '@nestjs/common';
import type { FieldError } from '#shared/kernel/domain-error.js';
import { refusal } from '#shared/platform/http/errors/error-codes.js';
import type { X402Choice } from '#contexts/payments/application/authorizations/offer-by-x402.js';
import {
  PayByX402,
  type X402PaymentRequested,
  type X402PaymentAccepted,
} from '#contexts/payments/application/authorizations/pay-by-x402.js';
import type {
  X402Payment,
  X402PaymentRequired,
} from '#contexts/payments/domain/authorizations/x402-payment.js';
import { LiveCheckouts } from '../../checkout/polling/live-checkouts.js';
import { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';
import type { PublicCheckoutDto } from '../../requests/http/checkout.dto.js';
import { AwaitedPayments, type WaitingCaller } from './awaited-payments.js';
import { encodeHeader } from './payment-headers.js';

export interface X402Answer {
  readonly status: 200 | 402;
  readonly header: readonly [name: 'PAYMENT-REQUIRED' | 'PAYMENT-RESPONSE', value: string];
  readonly body: PublicCheckoutDto | (X402PaymentRequired & { readonly errors?: readonly FieldError[] });
}

@Injectable()
export class X402Answers {
  constructor(
    private readonly payByX402: PayByX402,
    private readonly awaited: AwaitedPayments<X402Answer>,
    private readonly live: LiveCheckouts,
    private readonly presenter: CheckoutPresenter,
  ) {}

  /** @throws payment_pending if the payment was accepted but not seen in time; the errors of `PayByX402` */
  async answer(
    choice: X402Choice,
    payment: X402Payment | undefined,
    waiting: Omit<WaitingCaller, 'request'>,
  ): Promise<X402Answer> {
    const first = await this.payByX402.pay(choice, payment);
    if (endsWait(first)) return this.toAnswer(first);
    const searchPayment = async () => {
      const progress = await this.payByX402.pay(choice, payment);
      return endsWait(progress) ? this.toAnswer(progress) : undefined;
    };
    const last = await this.awaited.waitForPayment({ ...waiting, request: first.session.id }, searchPayment);
    if (last === undefined) throw refusal('payment_pending');
    return last;
  }

  private async toAnswer(progress: X402PaymentRequested | X402PaymentAccepted): Promise<X402Answer> {
    if ('required' in progress) return paymentRequiredAnswer(progress);
    const { view } = await this.live.readFromDatabase(progress.session.sessionId);
    return {
      status: 200,
      header: ['PAYMENT-RESPONSE', encodeHeader(progress.receipt)],
      body: this.presenter.forPayer(view),
    };
  }
}

type Progress = X402PaymentRequested | X402PaymentAccepted;

function endsWait(
  progress: Progress,
): progress is X402PaymentRequested | (X402PaymentAccepted & { isSeen: true }) {
  return 'required' in progress || progress.isSeen;
}

function paymentRequiredAnswer({ required, errors }: X402PaymentRequested): X402Answer {
  const header = ['PAYMENT-REQUIRED', encodeHeader(required)] as const;
  return { status: 402, header, body: errors.length === 0 ? required : { ...required, errors } };
}
