import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiFailures, ApiSuccess } from '#shared/platform/http/openapi/api-answers.js';
import { PublicCallers } from '#shared/platform/http/callers/public-callers.js';
import { OwnRate, Public } from '#shared/platform/http/callers/route-markers.js';
import { PayTypedAmount } from '#contexts/payments/application/till-codes/pay-typed-amount.js';
import { noOpenRequest, ReadTillCode } from '#contexts/payments/application/till-codes/read-till-code.js';
import { PAYING_FAILURES, PENDING_EXAMPLE } from '../../checkout/http/checkout-examples.js';
import { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';
import { PaidTypedAmountDto, presentShown, ReadTillCodeDto, TypedAmountBody } from './till-code.dto.js';

@ApiTags('Public checkout')
@Controller('public/pos/:code')
@ApiParam({ name: 'code', description: 'Printed at the till of a physical point of sale; case-sensitive.' })
@Public()
@OwnRate()
export class PublicTillCodeController {
  constructor(
    private readonly readTillCode: ReadTillCode,
    private readonly payTypedAmount: PayTypedAmount,
    private readonly presenter: CheckoutPresenter,
    private readonly callers: PublicCallers,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'readTillCode',
    summary: 'Read what there is to pay at a till',
    description:
      'The open request that the merchant has made on the point of sale and nobody has paid yet; `no_open_request` while ' +
      'there is none. Poll about every 3 seconds. `session_id`, the URLs and `token` are those of an alias of the session, ' +
      'which ends once a payment is seen and does not replace a selected asset. A request that was created without a ' +
      'hosted page has neither `session_id` nor URLs: its `token` carries the payment. Opens no session.',
  })
  @ApiSuccess(ReadTillCodeDto, {
    description: 'The open request.',
    example: { checkout_session: PENDING_EXAMPLE },
  })
  @ApiFailures('not_found', 'no_open_request', 'rate_limited')
  async read(@Param('code') code: string, @Req() request: Request): Promise<ReadTillCodeDto> {
    const { shown } = await this.callers.limited(request, code, () => this.readTillCode.execute(code));
    if (shown === undefined) throw noOpenRequest();
    return { checkout_session: presentShown(this.presenter, shown) };
  }

  @Post()
  @ApiOperation({
    operationId: 'payTypedAmount',
    summary: 'Pay an amount at an open-amount till',
    description:
      'Opens a checkout for an amount that the payer has typed, if `config.open_amount` is true. Any number of payers ' +
      'type at the same time. 409 while the merchant’s own request is open.',
  })
  @ApiSuccess(PaidTypedAmountDto, {
    description: 'The payer’s session.',
    example: { checkout_session: PENDING_EXAMPLE },
  })
  @ApiFailures(...PAYING_FAILURES, 'validation_failed', 'cross_site_refused')
  async pay(
    @Param('code') code: string,
    @Body() { amount, coin_code: coinCode, replaces }: TypedAmountBody,
    @Req() request: Request,
  ): Promise<PaidTypedAmountDto> {
    const caller = this.callers.callerOf(request);
    const session = await this.callers.limited(request, code, () =>
      this.payTypedAmount.execute({ code, amount, coinCode, replaces: replaces ?? undefined, caller }),
    );
    this.presenter.signatures.learn(session);
    return { checkout_session: this.presenter.forPayer(session) };
  }
}
