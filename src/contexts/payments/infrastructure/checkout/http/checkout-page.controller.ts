import { Body, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '#shared/kernel/clock.js';
import { IsOneOf } from '#shared/platform/http/validation/field-rules.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import {
  PayFromSandbox,
  SANDBOX_PAYMENT_KINDS,
  type SandboxPaymentKind,
} from '#contexts/payments/application/checkout/pay-from-sandbox.js';
import { SelectAsset } from '#contexts/payments/application/checkout/select-asset.js';
import { SessionAliases } from '../persistence/postgres-checkout-queries.js';
import { CachedCheckoutReader } from '../polling/cached-checkout-reader.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { SelectAssetBody } from '../../requests/http/payment-option.dto.js';
import { CheckoutPageModels } from './checkout-page-models.js';
import { pageLanguageOf } from '#shared/platform/http/browsers/page-language.js';
import { allowCrossOriginOpener, sendHtmlPage } from '#shared/platform/http/browsers/send-html-page.js';
import { withBranding } from '#shared/web/branding/page-branding.js';
import { INITIAL_PAYMENT_METHODS, type InitialPaymentMethod } from '../pages/checkout-page-model.js';
import { renderCheckoutPage } from '../pages/checkout-page.js';
import { renderPaidAtTillPage } from '../pages/error-page.js';
import { PAYER_PAGE_ASSETS } from '../pages/page-assets.js';
import { loadableScripts } from '../pages/page-scripts.js';
import { readLastNetwork, rememberNetwork } from './last-network.js';
import { readPayerBrowser } from './payer-browser.js';

export class SandboxPaymentBody {
  @IsOneOf(SANDBOX_PAYMENT_KINDS)
  how!: SandboxPaymentKind;
}

export class CheckoutPageQuery {
  @IsOneOf(INITIAL_PAYMENT_METHODS, { optional: true })
  pay?: InitialPaymentMethod;

  @IsOneOf(['invalid'], { optional: true })
  mail?: 'invalid';
}

@PublicPages('checkout/:sessionId')
export class CheckoutPageController {
  constructor(
    private readonly live: CachedCheckoutReader,
    private readonly selectAsset: SelectAsset,
    private readonly payFromSandbox: PayFromSandbox,
    private readonly pages: CheckoutPageModels,
    private readonly callers: PublicRateLimiter,
    private readonly clock: Clock,
    private readonly aliases: SessionAliases,
  ) {}

  @Get()
  async show(
    @Param('sessionId') sessionId: string,
    @Query() { pay, mail }: CheckoutPageQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const language = pageLanguageOf(request);
    const found = await this.callers.runLimited(request, sessionId, async () =>
      (await this.aliases.isPaid(sessionId)) ? 'paid' : this.live.readFromDatabase(sessionId),
    );
    if (found === 'paid')
      return sendHtmlPage(response, {
        html: renderPaidAtTillPage(language),
        language,
        assets: PAYER_PAGE_ASSETS,
      });
    const { view, etag } = found;
    const browser = readPayerBrowser(request)?.digest;
    const lastNetwork = readLastNetwork(request);
    const parameters = { pay, mail, browser, lastNetwork };
    const model = await this.pages.modelOf(view, etag, await this.clock.now(), parameters);
    const html = renderCheckoutPage(model, language);
    const loadedScripts = loadableScripts(model, language).map(({ hash }) => hash);
    const { frameOrigins } = view;
    const assets = withBranding(PAYER_PAGE_ASSETS, model.branding);
    sendHtmlPage(response, { html, language, assets, frameOrigins, loadedScripts });
  }

  @Post()
  async select(
    @Param('sessionId') sessionId: string,
    @Query() { pay }: CheckoutPageQuery,
    @Body() body: SelectAssetBody,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { frameOrigins, selected } = await this.callers.runLimited(request, sessionId, () =>
      this.selectAsset.select(sessionId, body.unique_asset_id),
    );
    allowCrossOriginOpener(response, frameOrigins);
    rememberNetwork(response, selected?.network);
    response.redirect(303, `${checkoutPagePath(sessionId, pay)}#status`);
  }

  @Post('sandbox-payment')
  async pay(
    @Param('sessionId') sessionId: string,
    @Query() { pay }: CheckoutPageQuery,
    @Body() body: SandboxPaymentBody,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.callers.runLimited(request, sessionId, () => this.payFromSandbox.pay(sessionId, body.how));
    allowCrossOriginOpener(response, this.live.frameOriginsOf(sessionId));
    response.redirect(303, checkoutPagePath(sessionId, pay));
  }
}

function checkoutPagePath(sessionId: string, pay: InitialPaymentMethod | undefined): string {
  return `/checkout/${sessionId}${pay === undefined ? '' : `?pay=${pay}`}`;
}
