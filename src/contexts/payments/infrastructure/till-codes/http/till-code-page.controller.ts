import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { parseEnteredAmount } from '#shared/kernel/entered-amount.js';
import { pageLanguageOf } from '#shared/platform/http/browsers/page-language.js';
import { sendHtmlPage } from '#shared/platform/http/browsers/send-html-page.js';
import { cookiesNamed } from '#shared/platform/http/browsers/cookies.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import { IsAnyText, IsOneOf } from '#shared/platform/http/validation/field-rules.js';
import { withBranding } from '#shared/web/branding/page-branding.js';
import { ResolvePaymentInstruction } from '#contexts/payments/application/checkout/resolve-payment-instruction.js';
import {
  PayEnteredAmount,
  TillOccupiedError,
} from '#contexts/payments/application/till-codes/pay-entered-amount.js';
import {
  noOpenRequestError,
  ReadTillCode,
  type DisplayedSession,
  type TillCodeView,
} from '#contexts/payments/application/till-codes/read-till-code.js';
import { toOrderMerchant } from '#contexts/payments/domain/requests/order.js';
import { CheckoutPageModels } from '../../checkout/http/checkout-page-models.js';
import { presentInstruction, PaymentOptionQuery } from '../../checkout/http/wallet-payment-response.dto.js';
import {
  INITIAL_PAYMENT_METHODS,
  type InitialPaymentMethod,
} from '../../checkout/pages/checkout-page-model.js';
import {
  renderTillCodePage,
  TILL_CODE_PAGE_ASSETS,
  type RejectedAmountEntry,
} from '../pages/till-code-page.js';

export class TillCodeQuery extends PaymentOptionQuery {
  @IsOneOf(INITIAL_PAYMENT_METHODS, { optional: true })
  pay?: InitialPaymentMethod;
}

/** Validated by the use case, so that the page is displayed again with the typed input. */
export class EnteredAmountForm {
  @IsAnyText({ optional: true }) amount?: string;
  @IsAnyText({ optional: true }) coin_code?: string;
}

/** Returns a page to browsers, and the payment to wallets. */
@PublicPages('pos/:code')
export class TillCodePageController {
  constructor(
    private readonly readTillCode: ReadTillCode,
    private readonly payEnteredAmount: PayEnteredAmount,
    private readonly resolvePaymentInstruction: ResolvePaymentInstruction,
    private readonly pages: CheckoutPageModels,
    private readonly callers: PublicRateLimiter,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(
    @Param('code') code: string,
    @Query() query: TillCodeQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    response.vary('Accept');
    const [own] = cookiesNamed(COOKIE_NAME, request.headers.cookie);
    const view = await this.callers.runLimited(request, code, () => this.readTillCode.read(code, own));
    if (request.headers.accept?.includes('text/html') !== true)
      return this.answerWallet(
        view.shown,
        request.method === 'HEAD' ? undefined : query.payment_option,
        response,
      );
    await this.showPage(code, view, request, response, { pay: query.pay });
  }

  @Post()
  async pay(
    @Param('code') code: string,
    @Body() { amount = '', coin_code: coinCode = '' }: EnteredAmountForm,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const caller = this.callers.callerRangeNameOf(request);
    const [replaces] = cookiesNamed(COOKIE_NAME, request.headers.cookie);
    try {
      const { sessionId } = await this.callers.runLimited(request, code, () =>
        this.payEnteredAmount.pay({ code, amount: parseEnteredAmount(amount), coinCode, replaces, caller }),
      );
      response.setHeader('Set-Cookie', sessionCookie(code, sessionId));
      response.redirect(303, `/checkout/${sessionId}`);
    } catch (error) {
      const typed = rejectedInput(error, amount);
      if (typed === undefined) throw error;
      await this.showPage(code, await this.readTillCode.read(code), request, response, { typed });
    }
  }

  private async answerWallet(
    shown: DisplayedSession | undefined,
    option: string | undefined,
    response: Response,
  ): Promise<void> {
    if (shown === undefined) throw noOpenRequestError();
    const { session, isDirect } = shown;
    const { selected } = session;
    const asked =
      isDirect && selected !== undefined
        ? { session, selected, missing: selected.amount }
        : await this.resolvePaymentInstruction.resolve(session.sessionId, option);
    response.json(presentInstruction(asked));
  }

  private async showPage(
    code: string,
    { point, coins, shown, own }: TillCodeView,
    request: Request,
    response: Response,
    { pay, typed }: { pay?: InitialPaymentMethod | undefined; typed?: RejectedAmountEntry },
  ): Promise<void> {
    if (shown?.isDirect === false) return response.redirect(303, `/checkout/${shown.session.sessionId}`);
    const language = pageLanguageOf(request);
    const branding = await this.pages.branding(point);
    const html = renderTillCodePage(
      {
        code,
        merchant: toOrderMerchant(point.merchant),
        branding,
        sandbox: this.pages.hasSandboxWallet,
        coins,
        typed,
        own: own && { sessionId: own.sessionId, amount: own.amount, coinCode: own.coinCode },
        direct: shown && (await this.pages.modelOf(shown.session, '', await this.clock.now(), { pay })),
      },
      language,
    );
    const status = typed === undefined ? 200 : typed.status;
    sendHtmlPage(response, { html, language, assets: withBranding(TILL_CODE_PAGE_ASSETS, branding), status });
  }
}

function rejectedInput(error: unknown, amount: string): RejectedAmountEntry | undefined {
  if (error instanceof TillOccupiedError) return { amount, status: 409 };
  if (!(error instanceof DomainError) || error.kind !== 'invalid') return undefined;
  return { amount, rule: error.errors[0]?.rule, status: 400 };
}

/** The session that this browser opened at the till, so that the payer can correct the amount. */
const COOKIE_NAME = 'till_session';

function sessionCookie(code: string, sessionId: string): string {
  return `${COOKIE_NAME}=${sessionId}; Path=/pos/${code}; Max-Age=600; HttpOnly; Secure; SameSite=Lax`;
}
