import { Body, Controller, Get, HttpStatus, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiFailures, ApiSuccess, linkTo } from '#shared/platform/http/openapi/api-answers.js';
import { matches } from '#shared/platform/http/answers/entity-tag.js';
import { OwnRate, Public, RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import { ResolvePaymentToken } from '#contexts/payments/application/checkout/resolve-payment-token.js';
import { SESSION_ID } from '#contexts/payments/application/checkout/checkout-session.js';
import { SelectAsset } from '#contexts/payments/application/checkout/select-asset.js';
import { LiveCheckouts } from '../polling/live-checkouts.js';
import { PublicCallers } from '#shared/platform/http/callers/public-callers.js';
import { PublicCheckoutDto, SelectAssetBody } from '../../requests/http/checkout.dto.js';
import { PAYING_EXAMPLE, PAYING_FAILURES, SELECTED_EXAMPLE } from './checkout-examples.js';
import { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';
import { presentInstruction, WALLET_ANSWER, WalletQuery } from './wallet-answer.dto.js';

const ETAG = {
  ETag: { description: 'Of these very bytes; send it with the next poll.', schema: { type: 'string' } },
} as const;

@ApiTags('Public checkout')
@Controller('public/checkout/:sessionId')
@ApiParam({ name: 'sessionId', description: 'The access control: whoever knows it may read and pay.' })
@Public()
@OwnRate()
export class PublicCheckoutController {
  constructor(
    private readonly live: LiveCheckouts,
    private readonly selectAsset: SelectAsset,
    private readonly resolvePaymentToken: ResolvePaymentToken,
    private readonly presenter: CheckoutPresenter,
    private readonly callers: PublicCallers,
    private readonly urls: CheckoutUrls,
  ) {}

  /** Most polls never come here: see `EarlyCheckoutAnswers`. */
  @Get()
  @RawAnswer()
  @ApiOperation({
    operationId: 'readPublicCheckout',
    summary: 'Read a checkout session',
    description:
      'Poll about every 3 seconds with `If-None-Match`: an unchanged session answers 304. At most 120 a minute. A ' +
      'session is closed a day after its end.',
  })
  @ApiHeader({ name: 'If-None-Match', required: false, description: '`ETag` of the last answer.' })
  @ApiSuccess(PublicCheckoutDto, {
    description: 'The session as it stands.',
    example: PAYING_EXAMPLE,
    headers: ETAG,
  })
  @ApiResponse({ status: 304, description: 'Nothing has changed.', headers: ETAG })
  @ApiFailures('not_found', 'rate_limited')
  async read(
    @Param('sessionId') sessionId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const answer = await this.callers.limited(request, sessionId, () => this.live.read(sessionId));
    response.setHeader('ETag', answer.etag);
    if (matches(request.headers['if-none-match'], answer.etag))
      response.status(HttpStatus.NOT_MODIFIED).end();
    else response.status(HttpStatus.OK).type('json').send(answer.body);
  }

  @Post('select-asset')
  @ApiOperation({
    operationId: 'selectAsset',
    summary: 'Choose what to pay with',
    description:
      'Assigns the address and locks the rate. May be changed until a payment is seen; every address once shown stays ' +
      'watched, and an asset chosen again keeps its rate. After 20 selections the asset stays: 409 `state_conflict`.',
  })
  @ApiSuccess(PublicCheckoutDto, {
    description: 'The session, to be paid now.',
    example: SELECTED_EXAMPLE,
    links: linkTo('readPublicCheckout', 'Follow it.', { sessionId: '$request.path.sessionId' }),
  })
  @ApiFailures(...PAYING_FAILURES, 'cross_site_refused')
  async select(
    @Param('sessionId') sessionId: string,
    @Req() request: Request,
    @Body() body: SelectAssetBody,
  ): Promise<PublicCheckoutDto> {
    const session = await this.callers.limited(request, sessionId, () =>
      this.selectAsset.execute(sessionId, body.unique_asset_id),
    );
    this.presenter.signatures.learn(session);
    return this.presenter.forPayer(session);
  }

  @Get('payment')
  @RawAnswer()
  @ApiOperation({
    operationId: 'askForPayment',
    summary: 'What to pay, for wallets (checkout_url)',
    description:
      'What the payment token’s `url` answers, outside the envelope: the payment once an asset is selected, or named by ' +
      '`payment_option`, which selects it as the payer would; otherwise the options. The amount is what is missing. A ' +
      'browser, which asks for `text/html`, is led to the hosted page.',
  })
  @ApiResponse(WALLET_ANSWER)
  @ApiResponse({ status: 303, description: 'To the hosted page, where `Accept` names `text/html`.' })
  @ApiFailures(...PAYING_FAILURES)
  async payment(
    @Param('sessionId') sessionId: string,
    @Req() request: Request,
    @Query() query: WalletQuery,
    @Res() response: Response,
  ): Promise<void> {
    response.vary('Accept');
    // What became of the session is for the page to say, so it is not looked up.
    if (SESSION_ID.test(sessionId) && request.headers.accept?.includes('text/html') === true)
      return response.redirect(HttpStatus.SEE_OTHER, this.urls.page(sessionId));
    // HEAD is routed here too, and must not select an asset.
    const option = request.method === 'HEAD' ? undefined : query.payment_option;
    const asked = await this.callers.limited(request, sessionId, () =>
      this.resolvePaymentToken.execute(sessionId, option),
    );
    response.json(presentInstruction(asked));
  }
}
