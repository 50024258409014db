import { Injectable } from '@nestjs/common';
import type { FieldError } from '#shared/kernel/domain-error.js';
import { refusalOfCode } from '#shared/platform/http/errors/error-codes.js';
import type { X402OfferInput } from '#contexts/payments/application/authorizations/offer-by-x402.js';
import {
  PayByX402,
  type X402PaymentRequiredResult,
  type X402PaymentAcceptedResult,
} from '#contexts/payments/application/authorizations/pay-by-x402.js';
import type {
  X402Payment,
  X402PaymentRequired,
} from '#contexts/payments/domain/authorizations/x402-payment.js';
import { CachedCheckoutReader } from '../../checkout/polling/cached-checkout-reader.js';
import { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';
import type { PublicCheckoutDto } from '../../requests/http/checkout.dto.js';
import { AwaitedPayments, type WaitingCaller } from './awaited-payments.js';
import { encodeX402Header } from './payment-headers.js';

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
    private readonly live: CachedCheckoutReader,
    private readonly presenter: CheckoutPresenter,
  ) {}

  /** @throws payment_pending if the payment was accepted but not seen in time; the errors of `PayByX402` */
  async answer(
    choice: X402OfferInput,
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
    if (last === undefined) throw refusalOfCode('payment_pending');
    return last;
  }

  private async toAnswer(
    progress: X402PaymentRequiredResult | X402PaymentAcceptedResult,
  ): Promise<X402Answer> {
    if ('required' in progress) return paymentRequiredAnswer(progress);
    const { view } = await this.live.readFromDatabase(progress.session.sessionId);
    return {
      status: 200,
      header: ['PAYMENT-RESPONSE', encodeX402Header(progress.receipt)],
      body: this.presenter.forPayer(view),
    };
  }
}

type Progress = X402PaymentRequiredResult | X402PaymentAcceptedResult;

function endsWait(
  progress: Progress,
): progress is X402PaymentRequiredResult | (X402PaymentAcceptedResult & { isSeen: true }) {
  return 'required' in progress || progress.isSeen;
}

function paymentRequiredAnswer({ required, errors }: X402PaymentRequiredResult): X402Answer {
  const header = ['PAYMENT-REQUIRED', encodeX402Header(required)] as const;
  return { status: 402, header, body: errors.length === 0 ? required : { ...required, errors } };
}
