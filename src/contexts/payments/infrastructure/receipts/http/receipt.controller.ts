import { Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pageLanguageOf } from '#shared/platform/http/browsers/page-language.js';
import { sendHtmlPage } from '#shared/platform/http/browsers/send-html-page.js';
import { pageBranding, withBranding } from '#shared/web/branding/page-branding.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import { Receipts, type BrandedReceipt } from '../persistence/receipts.js';
import { CheckoutSettings } from '../../requests/checkout-settings.js';
import { RECEIPT_PAGE_ASSETS, renderReceiptPage } from '../pages/receipt-page.js';
import { ReceiptSignatures } from '../receipt-signatures.js';

/** Anyone with the code can read the receipt. */
@PublicPages('receipt/:code')
export class ReceiptController {
  constructor(
    private readonly receipts: Receipts,
    private readonly signatures: ReceiptSignatures,
    private readonly callers: PublicRateLimiter,
    private readonly settings: CheckoutSettings,
  ) {}

  @Get()
  async show(@Param('code') code: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const read = await this.read(code, request);
    response.vary('Accept');
    if (request.accepts(['html', 'json']) === 'json') return this.sendDocument(read, response);
    const language = pageLanguageOf(request);
    const sandbox = this.settings.sandboxWalletUrl !== undefined;
    const branding = pageBranding(read.branding);
    const html = renderReceiptPage({ receipt: read.receipt, branding, sandbox }, language);
    sendHtmlPage(response, { html, language, assets: withBranding(RECEIPT_PAGE_ASSETS, branding) });
  }

  /** Browsers cannot set `Accept` on a link. */
  @Get('document')
  async document(
    @Param('code') code: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const read = await this.read(code, request);
    response.setHeader(
      'Content-Disposition',
      `attachment; filename="receipt-${read.receipt.payment_request_id}.json"`,
    );
    this.sendDocument(read, response);
  }

  private read(code: string, request: Request): Promise<BrandedReceipt> {
    return this.callers.runLimited(request, code, () => this.receipts.find(code));
  }

  private sendDocument({ receipt }: BrandedReceipt, response: Response): void {
    response.json(this.signatures.sign(receipt));
  }
}
