import { Body, Controller, Get, Param, Post, Put, Req, Res } from '@nestjs/common';
import { ApiBody, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiCookie, operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { OwnRateLimit, Public } from '#shared/platform/http/callers/route-markers.js';
import { OpenPaymentLink } from '#contexts/payments/application/links/open-payment-link.js';
import { ReadPaymentLink } from '#contexts/payments/application/links/read-payment-link.js';
import { SelectAssetForLink } from '#contexts/payments/application/links/select-asset-for-link.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { SelectAssetBody } from '../../requests/http/payment-option.dto.js';
import {
  PUBLIC_PAYMENT_ERROR_CODES,
  PENDING_CHECKOUT_EXAMPLE,
  SELECTED_CHECKOUT_EXAMPLE,
} from '../../checkout/http/checkout-examples.js';
import { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';
import { PAYMENT_LINK_COOKIE_NAME, PaymentLinkCookies } from './payment-link-cookies.js';
import {
  PRICED_LINK_EXAMPLE,
  OpenedPaymentLinkDto,
  OpenPaymentLinkBody,
  presentPricedLink,
  ReadPaymentLinkDto,
} from './payment-link.dto.js';

const SET_COOKIE = {
  'Set-Cookie': {
    description:
      `\`${PAYMENT_LINK_COOKIE_NAME}\`, for the API and for the page of this link. Valid for 1 day; HttpOnly, Secure, SameSite=Lax. ` +
      'Absent if the request only reads and already contains the cookie.',
    schema: { type: 'string' },
  },
} as const;

@ApiTags('Public checkout')
@Controller('public/payment-links/:code/checkout')
@ApiParam({ name: 'code', type: String, description: 'Code of the payment link. Case-sensitive.' })
@ApiCookie(PAYMENT_LINK_COOKIE_NAME, 'Identifies the payer. Set by an earlier response.')
@Public()
@OwnRateLimit()
export class PublicPaymentLinkController {
  constructor(
    private readonly readLink: ReadPaymentLink,
    private readonly openLink: OpenPaymentLink,
    private readonly selectAsset: SelectAssetForLink,
    private readonly presenter: CheckoutPresenter,
    private readonly cookies: PaymentLinkCookies,
    private readonly callers: PublicRateLimiter,
  ) {}

  /** Sets the cookie on the first read, so that two pages opened concurrently share one session. */
  @Get()
  @DocumentedOperation('readPaymentLink', 'Read a payment link', {
    description:
      'Returns the checkout session that this payer has opened. If the payer has not opened a session, the ' +
      'response contains only `amount`, `coin_code`, `payment_options`, `merchant` and `order`. This operation ' +
      'never opens a session. A cookie identifies the payer, so requests from a browser must include ' +
      'credentials. Returns 404 `not_found` if the link is unknown or inactive.',
    answer: [
      ReadPaymentLinkDto,
      'The payer’s session, or the offer of the payment link if the payer has no session.',
      { checkout_session: PRICED_LINK_EXAMPLE },
    ],
    headers: SET_COOKIE,
    errors: ['not_found', 'rate_limited'],
  })
  async read(
    @Param('code') code: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReadPaymentLinkDto> {
    const cookie = this.cookies.cookieFor(request.headers.cookie, code);
    const { session, offered } = await this.callers.runLimited(request, cookie.countedAs, () =>
      this.readLink.read(code, cookie.payerSecret),
    );
    if (!cookie.isSet) response.setHeader('Set-Cookie', this.cookies.setCookieHeaders(cookie, code));
    return {
      checkout_session: session === undefined ? presentPricedLink(offered) : this.presenter.forPayer(session),
    };
  }

  @Post()
  @DocumentedOperation('openPaymentLink', 'Open a payment link', {
    description:
      'Returns the payer’s checkout session, or opens one if the payer has none. A paid session is also ' +
      'returned, unless `new` is true. A cookie identifies the payer, so that reloading the page does not ' +
      'create another payment request. Requests from a browser must therefore include credentials. The body ' +
      'can be omitted. Returns 429 `rate_limited` if too many unpaid sessions are open from the caller’s IP ' +
      'address.',
    answer: [
      OpenedPaymentLinkDto,
      'The payer’s checkout session.',
      { checkout_session: PENDING_CHECKOUT_EXAMPLE },
    ],
    headers: SET_COOKIE,
    links: operationLinkTo('selectAssetForPaymentLink', 'Select an asset; send the cookie.', {
      code: '$request.path.code',
    }),
    errors: [...PUBLIC_PAYMENT_ERROR_CODES, 'cross_site_refused'],
  })
  @ApiBody({ type: OpenPaymentLinkBody, required: false })
  async open(
    @Param('code') code: string,
    @Body() body: OpenPaymentLinkBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OpenedPaymentLinkDto> {
    const cookie = this.cookies.cookieFor(request.headers.cookie, code);
    const { payerSecret } = cookie;
    const caller = this.callers.callerRangeNameOf(request);
    const session = await this.callers.runLimited(request, cookie.countedAs, () =>
      this.openLink.open({ code, payerSecret, forceNew: body.new === true, caller }),
    );
    response.setHeader('Set-Cookie', this.cookies.setCookieHeaders(cookie, code));
    return { checkout_session: this.presenter.forPayer(session) };
  }

  @Put()
  @DocumentedOperation('selectAssetForPaymentLink', 'Select an asset for a payment link', {
    description:
      'Selects the asset for the payer’s checkout session. A cookie identifies the payer. The rules of `POST ' +
      '/public/checkout/{sessionId}/select-asset` apply. Returns 404 `not_found` if the payer has not opened a ' +
      'session.',
    answer: [
      OpenedPaymentLinkDto,
      'The checkout session, ready to be paid.',
      { checkout_session: SELECTED_CHECKOUT_EXAMPLE },
    ],
    errors: [...PUBLIC_PAYMENT_ERROR_CODES, 'cross_site_refused'],
  })
  async select(
    @Param('code') code: string,
    @Body() body: SelectAssetBody,
    @Req() request: Request,
  ): Promise<OpenedPaymentLinkDto> {
    const cookie = this.cookies.cookieFor(request.headers.cookie, code);
    const session = await this.callers.runLimited(request, cookie.countedAs, () =>
      this.selectAsset.select(code, cookie.payerSecret, body.unique_asset_id),
    );
    return { checkout_session: this.presenter.forPayer(session) };
  }
}
