import { Body, Controller, Get, HttpStatus, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { matchesEntityTag } from '#shared/platform/http/answers/prepared-answer.js';
import { OwnRateLimit, Public, RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import { ResolvePaymentInstruction } from '#contexts/payments/application/checkout/resolve-payment-instruction.js';
import { SESSION_ID_PATTERN } from '#contexts/payments/application/checkout/checkout-session.js';
import { SelectAsset } from '#contexts/payments/application/checkout/select-asset.js';
import { CachedCheckoutReader } from '../polling/cached-checkout-reader.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { PublicCheckoutDto } from '../../requests/http/checkout.dto.js';
import { SelectAssetBody } from '../../requests/http/payment-option.dto.js';
import {
  ApiCheckoutSessionId,
  PROCESSING_CHECKOUT_EXAMPLE,
  PUBLIC_PAYMENT_ERROR_CODES,
  SELECTED_CHECKOUT_EXAMPLE,
} from './checkout-examples.js';
import { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';
import {
  presentInstruction,
  WALLET_PAYMENT_RESPONSE,
  PaymentOptionQuery,
} from './wallet-payment-response.dto.js';

const ETAG = {
  ETag: {
    description: 'Version of the response. Send it as `If-None-Match` with the next poll.',
    schema: { type: 'string' },
  },
} as const;

@ApiTags('Public checkout')
@Controller('public/checkout/:sessionId')
@ApiCheckoutSessionId()
@Public()
@OwnRateLimit()
export class PublicCheckoutController {
  constructor(
    private readonly live: CachedCheckoutReader,
    private readonly selectAsset: SelectAsset,
    private readonly resolvePaymentInstruction: ResolvePaymentInstruction,
    private readonly presenter: CheckoutPresenter,
    private readonly callers: PublicRateLimiter,
    private readonly urls: CheckoutUrls,
  ) {}

  /** `EarlyCheckoutResponder` responds to most polls before they reach this method. */
  @Get()
  @RawAnswer()
  @DocumentedOperation('readPublicCheckout', 'Read a checkout session', {
    description:
      'Returns the current state of a checkout session to its payer. Poll it about every 3 seconds with ' +
      '`If-None-Match`: the response is 304 if the session has not changed. The limit is 120 requests per ' +
      'minute for each session and IP address. From 24 hours after the end of the session, the response is 404 ' +
      '`not_found`.',
    answer: [PublicCheckoutDto, 'The current checkout session.', PROCESSING_CHECKOUT_EXAMPLE],
    headers: ETAG,
    errors: ['not_found', 'rate_limited'],
  })
  @ApiHeader({ name: 'If-None-Match', required: false, description: '`ETag` of the previous response.' })
  @ApiResponse({ status: 304, description: 'The session has not changed.', headers: ETAG })
  async read(
    @Param('sessionId') sessionId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const answer = await this.callers.runLimited(request, sessionId, () => this.live.read(sessionId));
    response.setHeader('ETag', answer.etag);
    if (matchesEntityTag(request.headers['if-none-match'], answer.etag))
      response.status(HttpStatus.NOT_MODIFIED).end();
    else response.status(HttpStatus.OK).type('json').send(answer.body);
  }

  @Post('select-asset')
  @DocumentedOperation('selectAsset', 'Select an asset', {
    description:
      'Selects the asset to pay with, assigns a deposit address and locks the exchange rate. The payer can ' +
      'select another asset until a payment is seen. If the payer selects an earlier asset again, its address ' +
      'and rate stay the same. The service monitors the addresses of all assets that were selected. Selecting ' +
      'an asset does not extend the payment window. Returns 409 `state_conflict` if a payment has been seen, ' +
      'if a payment by signature is in progress, if the session has ended, or after 20 selections. Returns 503 ' +
      '`rate_unavailable` if there is no exchange rate.',
    answer: [PublicCheckoutDto, 'The checkout session, ready to be paid.', SELECTED_CHECKOUT_EXAMPLE],
    links: operationLinkTo('readPublicCheckout', 'Poll the checkout session.', {
      sessionId: '$request.path.sessionId',
    }),
    errors: [...PUBLIC_PAYMENT_ERROR_CODES, 'cross_site_refused'],
  })
  async select(
    @Param('sessionId') sessionId: string,
    @Req() request: Request,
    @Body() body: SelectAssetBody,
  ): Promise<PublicCheckoutDto> {
    const session = await this.callers.runLimited(request, sessionId, () =>
      this.selectAsset.select(sessionId, body.unique_asset_id),
    );
    this.presenter.signatures.requestTokenDomains(session);
    return this.presenter.forPayer(session);
  }

  @Get('payment')
  @RawAnswer()
  @DocumentedOperation('askForPayment', 'Get payment instructions', {
    description:
      'This is the `checkout_url` of a checkout. It tells wallets what to pay; the response is not wrapped in ' +
      '`status` and `data`. If an asset is already selected, or `payment_option` selects one, the response ' +
      'contains the payment instruction with the remaining amount. Otherwise, it contains the payment options. ' +
      'Requests that accept `text/html` are redirected to the hosted page. Returns 409 `state_conflict` if the ' +
      'session is paid or has ended.',
    errors: [...PUBLIC_PAYMENT_ERROR_CODES],
  })
  @ApiResponse(WALLET_PAYMENT_RESPONSE)
  @ApiResponse({ status: 303, description: 'Redirect to the hosted page, if `Accept` includes `text/html`.' })
  async payment(
    @Param('sessionId') sessionId: string,
    @Req() request: Request,
    @Query() query: PaymentOptionQuery,
    @Res() response: Response,
  ): Promise<void> {
    response.vary('Accept');
    if (SESSION_ID_PATTERN.test(sessionId) && request.headers.accept?.includes('text/html') === true)
      return response.redirect(HttpStatus.SEE_OTHER, this.urls.page(sessionId));
    // Nest also routes HEAD requests here. They must not select an asset.
    const option = request.method === 'HEAD' ? undefined : query.payment_option;
    const asked = await this.callers.runLimited(request, sessionId, () =>
      this.resolvePaymentInstruction.resolve(sessionId, option),
    );
    response.json(presentInstruction(asked));
  }
}
