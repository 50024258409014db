import { Body, Controller, Get, Param, Post, Put, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiCookie, ApiFailures, ApiSuccess, linkTo } from '#shared/platform/http/openapi/api-answers.js';
import { OwnRate, Public } from '#shared/platform/http/callers/route-markers.js';
import { OpenPaymentLink } from '#contexts/payments/application/links/open-payment-link.js';
import { ReadPaymentLink } from '#contexts/payments/application/links/read-payment-link.js';
import { SelectAssetForLink } from '#contexts/payments/application/links/select-asset-for-link.js';
import { PublicCallers } from '#shared/platform/http/callers/public-callers.js';
import { SelectAssetBody } from '../../requests/http/checkout.dto.js';
import { PAYING_FAILURES, PENDING_EXAMPLE, SELECTED_EXAMPLE } from '../../checkout/http/checkout-examples.js';
import { CheckoutPresenter } from '../../requests/http/checkout-presenter.js';
import { COOKIE_NAME, PaymentLinkCookies } from './payment-link-cookies.js';
import {
  OFFERED_EXAMPLE,
  OpenedPaymentLinkDto,
  OpenPaymentLinkBody,
  presentOffered,
  ReadPaymentLinkDto,
} from './payment-link.dto.js';

const SET_COOKIE = {
  'Set-Cookie': {
    description:
      `\`${COOKIE_NAME}\`, once for the API and once for the page of this link: a day, HttpOnly, Secure, ` +
      'SameSite=Lax. Absent where the caller has it already and only reads.',
    schema: { type: 'string' },
  },
} as const;

@ApiTags('Public checkout')
@Controller('public/payment-links/:code/checkout')
@ApiParam({ name: 'code', description: 'Of the payment link; case-sensitive.' })
@ApiCookie(COOKIE_NAME, 'Tells this payer from others, as an earlier answer has set it.')
@Public()
@OwnRate()
export class PublicPaymentLinkController {
  constructor(
    private readonly readLink: ReadPaymentLink,
    private readonly openLink: OpenPaymentLink,
    private readonly selectAsset: SelectAssetForLink,
    private readonly presenter: CheckoutPresenter,
    private readonly cookies: PaymentLinkCookies,
    private readonly callers: PublicCallers,
  ) {}

  /** Sets the cookie already, so that two pages opened at once share one session. */
  @Get()
  @ApiOperation({
    operationId: 'readPaymentLink',
    summary: 'Read a payment link',
    description:
      'The session that the payer’s cookie has opened, else only `amount`, `coin_code`, `payment_options`, `merchant` ' +
      'and `order`. Opens nothing. Send credentials, so that the cookie is kept.',
  })
  @ApiSuccess(ReadPaymentLinkDto, {
    description: 'What the payer sees of the link.',
    example: { checkout_session: OFFERED_EXAMPLE },
    headers: SET_COOKIE,
  })
  @ApiFailures('not_found', 'rate_limited')
  async read(
    @Param('code') code: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ReadPaymentLinkDto> {
    const cookie = this.cookies.cookieFor(request.headers.cookie, code);
    const { session, offered } = await this.callers.limited(request, cookie.countedAs, () =>
      this.readLink.execute(code, cookie.payerSecret),
    );
    if (!cookie.isSet) response.setHeader('Set-Cookie', this.cookies.headers(cookie, code));
    return {
      checkout_session: session === undefined ? presentOffered(offered) : this.presenter.forPayer(session),
    };
  }

  @Post()
  @ApiOperation({
    operationId: 'openPaymentLink',
    summary: 'Open a payment link',
    description:
      'Finds the session of the payer’s cookie again, also a paid one unless `new` is true; otherwise opens one. Send ' +
      'credentials: the cookie is what keeps a reload from creating another payment request. The body may be left out. ' +
      '429 `rate_limited` if too many unpaid sessions are open from the caller’s address.',
  })
  @ApiBody({ type: OpenPaymentLinkBody, required: false })
  @ApiSuccess(OpenedPaymentLinkDto, {
    description: 'The payer’s session.',
    example: { checkout_session: PENDING_EXAMPLE },
    headers: SET_COOKIE,
    links: linkTo('selectAssetForPaymentLink', 'Choose what to pay with, with the cookie.', {
      code: '$request.path.code',
    }),
  })
  @ApiFailures(...PAYING_FAILURES, 'cross_site_refused')
  async open(
    @Param('code') code: string,
    @Body() body: OpenPaymentLinkBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<OpenedPaymentLinkDto> {
    const cookie = this.cookies.cookieFor(request.headers.cookie, code);
    const { payerSecret } = cookie;
    const caller = this.callers.callerOf(request);
    const session = await this.callers.limited(request, cookie.countedAs, () =>
      this.openLink.execute({ code, payerSecret, forceNew: body.new === true, caller }),
    );
    response.setHeader('Set-Cookie', this.cookies.headers(cookie, code));
    return { checkout_session: this.presenter.forPayer(session) };
  }

  @Put()
  @ApiOperation({
    operationId: 'selectAssetForPaymentLink',
    summary: 'Choose what to pay a payment link with',
    description: 'As `selectAsset`, for the session of the payer’s cookie.',
  })
  @ApiSuccess(OpenedPaymentLinkDto, {
    description: 'The session, to be paid now.',
    example: { checkout_session: SELECTED_EXAMPLE },
  })
  @ApiFailures(...PAYING_FAILURES, 'cross_site_refused')
  async select(
    @Param('code') code: string,
    @Body() body: SelectAssetBody,
    @Req() request: Request,
  ): Promise<OpenedPaymentLinkDto> {
    const cookie = this.cookies.cookieFor(request.headers.cookie, code);
    const session = await this.callers.limited(request, cookie.countedAs, () =>
      this.selectAsset.execute(code, cookie.payerSecret, body.unique_asset_id),
    );
    return { checkout_session: this.presenter.forPayer(session) };
  }
}
