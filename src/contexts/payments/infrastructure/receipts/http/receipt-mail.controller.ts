import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import { pageLanguageOf } from '#shared/platform/http/browsers/page-language.js';
import { allowCrossOriginOpener, sendHtmlPage } from '#shared/platform/http/browsers/send-html-page.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { OwnRateLimit, Public, PublicPages, RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { IsAnyText } from '#shared/platform/http/validation/field-rules.js';
import { RequestReceiptMail } from '#contexts/payments/application/receipts/request-receipt-mail.js';
import { UnsubscribeFromReceiptMails } from '#contexts/payments/application/receipts/unsubscribe-from-receipt-mails.js';
import { payerBrowserCookie, readOrCreatePayerBrowser } from '../../checkout/http/payer-browser.js';
import { CachedCheckoutReader } from '../../checkout/polling/cached-checkout-reader.js';
import { RECEIPT_PAGE_ASSETS } from '../pages/receipt-page.js';
import { renderMailUnsubscribePage } from '../pages/unsubscribe-page.js';

export class ReceiptMailForm {
  @IsAnyText()
  email!: string;
}

@PublicPages('checkout/:sessionId/receipt-mail')
export class ReceiptMailController {
  constructor(
    private readonly askForMail: RequestReceiptMail,
    private readonly live: CachedCheckoutReader,
    private readonly callers: PublicRateLimiter,
  ) {}

  @Post()
  async ask(
    @Param('sessionId') sessionId: string,
    @Body() { email }: ReceiptMailForm,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const page = `/checkout/${sessionId}`;
    const browser = readOrCreatePayerBrowser(request);
    const isInvalid = await this.callers.runLimited(request, sessionId, () =>
      this.askForMail
        .registerRecipient(sessionId, email, pageLanguageOf(request), browser.digest)
        .then(() => false, acceptInvalidAddress),
    );
    response.setHeader('Set-Cookie', payerBrowserCookie(browser, page));
    allowCrossOriginOpener(response, this.live.frameOriginsOf(sessionId));
    response.redirect(303, isInvalid ? `${page}?mail=invalid#mail` : `${page}#mail`);
  }
}

/** The page itself reports an invalid email address. @throws any other error */
function acceptInvalidAddress(error: unknown): true {
  if (error instanceof DomainError && error.kind === 'invalid') return true;
  throw error;
}

/** GET changes nothing, because mail programs prefetch the URL (RFC 8058). */
@Controller('unsubscribe/:code')
@ApiExcludeController()
@Public()
@RawAnswer()
export class ReceiptMailUnsubscribeController {
  constructor(
    private readonly unsubscribeFromReceiptMails: UnsubscribeFromReceiptMails,
    private readonly callers: PublicRateLimiter,
  ) {}

  @Get()
  show(@Param('code') code: string, @Req() request: Request, @Res() response: Response): void {
    this.send(code, false, request, response);
  }

  @Post()
  @OwnRateLimit()
  @HttpCode(200)
  async unsubscribe(
    @Param('code') code: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.callers.runLimited(request, code, () => this.unsubscribeFromReceiptMails.unsubscribe(code));
    this.send(code, true, request, response);
  }

  private send(code: string, unsubscribed: boolean, request: Request, response: Response): void {
    const language = pageLanguageOf(request);
    const html = renderMailUnsubscribePage({ code, unsubscribed }, language);
    sendHtmlPage(response, { html, language, assets: RECEIPT_PAGE_ASSETS });
  }
}
