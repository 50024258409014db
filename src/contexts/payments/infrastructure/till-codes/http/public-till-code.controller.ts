import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { OwnRateLimit, Public } from '#shared/platform/http/callers/route-markers.js';
import { PayEnteredAmount } from '#contexts/payments/application/till-codes/pay-entered-amount.js';
import {
  noOpenRequestError,
  ReadTillCode,
} from '#contexts/payments/application/till-codes/read-till-code.js';
import {
  PUBLIC_PAYMENT_ERROR_CODES,
  PENDING_CHECKOUT_EXAMPLE,
} from '../../checkout/http/checkout-examples.js';
import { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';
import { PaidTypedAmountDto, presentTillSession, ReadTillCodeDto, TypedAmountBody } from './till-code.dto.js';

@ApiTags('Public checkout')
@Controller('public/pos/:code')
@ApiParam({
  name: 'code',
  type: String,
  description: 'Public code of a physical point of sale, printed at the till. Case-sensitive.',
})
@Public()
@OwnRateLimit()
export class PublicTillCodeController {
  constructor(
    private readonly readTillCode: ReadTillCode,
    private readonly payEnteredAmount: PayEnteredAmount,
    private readonly presenter: CheckoutPresenter,
    private readonly callers: PublicRateLimiter,
  ) {}

  @Get()
  @DocumentedOperation('readTillCode', 'Read the open payment request of a till', {
    description:
      'Returns the payment request that is currently open on a physical point of sale, as long as no payment ' +
      'to it has been seen. Poll this operation about every 3 seconds; 404 `no_open_request` means that no ' +
      'request is open. `session_id`, `token` and the URLs belong to an alias of the checkout session. The ' +
      'alias stops working when a payment is seen, and it cannot replace an asset that is already selected. A ' +
      'payment request that was created without a hosted checkout has no `session_id` and no URLs; its `token` ' +
      'contains the payment instruction.',
    answer: [ReadTillCodeDto, 'The open payment request.', { checkout_session: PENDING_CHECKOUT_EXAMPLE }],
    errors: ['not_found', 'no_open_request', 'rate_limited'],
  })
  async read(@Param('code') code: string, @Req() request: Request): Promise<ReadTillCodeDto> {
    const { shown } = await this.callers.runLimited(request, code, () => this.readTillCode.read(code));
    if (shown === undefined) throw noOpenRequestError();
    return { checkout_session: presentTillSession(this.presenter, shown) };
  }

  @Post()
  @DocumentedOperation('payTypedAmount', 'Open a checkout for an amount entered by the payer', {
    description:
      'Opens a checkout for an amount that the payer enters. `config.open_amount` must be true for the point ' +
      'of sale. Each payer gets a separate session. Returns 409 `state_conflict` while a payment request that ' +
      'the merchant created is open.',
    answer: [
      PaidTypedAmountDto,
      'The payer’s checkout session.',
      { checkout_session: PENDING_CHECKOUT_EXAMPLE },
    ],
    errors: [...PUBLIC_PAYMENT_ERROR_CODES, 'cross_site_refused'],
  })
  async pay(
    @Param('code') code: string,
    @Body() { amount, coin_code: coinCode, replaces }: TypedAmountBody,
    @Req() request: Request,
  ): Promise<PaidTypedAmountDto> {
    const caller = this.callers.callerRangeNameOf(request);
    const session = await this.callers.runLimited(request, code, () =>
      this.payEnteredAmount.pay({ code, amount, coinCode, replaces: replaces ?? undefined, caller }),
    );
    this.presenter.signatures.requestTokenDomains(session);
    return { checkout_session: this.presenter.forPayer(session) };
  }
}
