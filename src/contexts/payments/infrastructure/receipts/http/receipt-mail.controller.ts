import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import { languageOf } from '#shared/platform/http/browsers/page-language.js';
import { keepOpener, sendPage } from '#shared/platform/http/browsers/send-page.js';
import { PublicCallers } from '#shared/platform/http/callers/public-callers.js';
import { OwnRate, Public, PublicPages, RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { AnyText } from '#shared/platform/http/validation/field-rules.js';
import { AskForReceiptMail } from '#contexts/payments/application/receipts/ask-for-receipt-mail.js';
import { UnsubscribePayer } from '#contexts/payments/application/receipts/unsubscribe-payer.js';
import { payerBrowserCookie, readOrCreatePayerBrowser } from '../../checkout/http/payer-browser.js';
import { LiveCheckouts } from '../../checkout/polling/live-checkouts.js';
import { RECEIPT_ASSETS } from '../pages/receipt-page.js';
import { renderUnsubscribePage } from '../pages/unsubscribe-page.js';

export class ReceiptMailForm {
  @AnyText()
  email!: string;
}

@PublicPages('checkout/:sessionId/receipt-mail')
export class ReceiptMailController {
  constructor(
    private readonly askForMail: AskForReceiptMail,
    private readonly live: LiveCheckouts,
    private readonly callers: PublicCallers,
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
        .registerRecipient(sessionId, email, languageOf(request), browser.digest)
        .then(() => false, acceptInvalidAddress),
    );
    response.setHeader('Set-Cookie', payerBrowserCookie(browser, page));
    keepOpener(response, this.live.frameOriginsOf(sessionId));
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
export class UnsubscribeController {
  constructor(
    private readonly unsubscribePayer: UnsubscribePayer,
    private readonly callers: PublicCallers,
  ) {}

  @Get()
  show(@Param('code') code: string, @Req() request: Request, @Res() response: Response): void {
    this.send(code, false, request, response);
  }

  @Post()
  @OwnRate()
  @HttpCode(200)
  async unsubscribe(
    @Param('code') code: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.callers.runLimited(request, code, () => this.unsubscribePayer.unsubscribe(code));
    this.send(code, true, request, response);
  }

  private send(code: string, unsubscribed: boolean, request: Request, response: Response): void {
    const language = languageOf(request);
    const html = renderUnsubscribePage({ code, unsubscribed }, language);
    sendPage(response, { html, language, assets: RECEIPT_ASSETS });
  }
}
