import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { IsAnyText, IsOneOf } from '#shared/platform/http/validation/field-rules.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import type { PricedPaymentLink } from '#contexts/payments/application/links/priced-payment-links.js';
import { OpenPaymentLink } from '#contexts/payments/application/links/open-payment-link.js';
import { SelectAsset } from '#contexts/payments/application/checkout/select-asset.js';
import { ReadPaymentLink } from '#contexts/payments/application/links/read-payment-link.js';
import type {
  CheckoutView,
  SelectedAssetView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { readLastNetwork, rememberNetwork } from '../../checkout/http/last-network.js';
import { CheckoutPageModels } from '../../checkout/http/checkout-page-models.js';
import { pageLanguageOf } from '#shared/platform/http/browsers/page-language.js';
import { sendHtmlPage } from '#shared/platform/http/browsers/send-html-page.js';
import { withBranding } from '#shared/web/branding/page-branding.js';
import { PAYER_PAGE_ASSETS } from '../../checkout/pages/page-assets.js';
import { PaymentLinkCookies } from './payment-link-cookies.js';
import { presentPricedLink } from './payment-link.dto.js';
import { renderLinkPage } from './link-page.js';
import { isOneOf, UNPAID_ENDED_STATUSES } from '#contexts/payments/domain/requests/status.js';

export class OpenLinkForm {
  @IsOneOf(['true'], { optional: true })
  new?: 'true';

  @IsAnyText({ optional: true })
  unique_asset_id?: string;
}

@PublicPages('link/:code')
export class LinkPageController {
  constructor(
    private readonly readLink: ReadPaymentLink,
    private readonly openLink: OpenPaymentLink,
    private readonly selectAsset: SelectAsset,
    private readonly pages: CheckoutPageModels,
    private readonly cookies: PaymentLinkCookies,
    private readonly callers: PublicRateLimiter,
  ) {}

  @Get()
  async show(@Param('code') code: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const cookie = this.cookies.cookieFor(request.headers.cookie, code);
    const shown = await this.callers.runLimited(request, cookie.countedAs, () =>
      this.sessionOrOffer(code, cookie.payerSecret),
    );
    if (!cookie.isSet) response.setHeader('Set-Cookie', this.cookies.setCookieHeaders(cookie, code));
    if ('session' in shown) return response.redirect(303, `/checkout/${shown.session.sessionId}`);
    const language = pageLanguageOf(request);
    const branding = await this.pages.branding(shown.offered.link);
    const model = this.pageModelOf(code, shown.offered, readLastNetwork(request));
    const html = renderLinkPage({ ...model, branding }, language);
    sendHtmlPage(response, { html, language, assets: withBranding(PAYER_PAGE_ASSETS, branding) });
  }

  @Post()
  async open(
    @Param('code') code: string,
    @Body() body: OpenLinkForm,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const cookie = this.cookies.cookieFor(request.headers.cookie, code);
    const { payerSecret } = cookie;
    const caller = this.callers.callerRangeNameOf(request);
    const { sessionId } = await this.callers.runLimited(request, cookie.countedAs, () =>
      this.openLink.open({ code, payerSecret, forceNew: body.new === 'true', caller }),
    );
    response.setHeader('Set-Cookie', this.cookies.setCookieHeaders(cookie, code));
    if (body.unique_asset_id !== undefined) {
      const selected = await this.select(sessionId, body.unique_asset_id);
      rememberNetwork(response, selected?.network);
    }
    response.redirect(303, `/checkout/${sessionId}#status`);
  }

  /** If the asset cannot be selected, the checkout page offers the assets again. */
  private async select(sessionId: string, asset: string): Promise<SelectedAssetView | undefined> {
    try {
      return (await this.selectAsset.select(sessionId, asset)).selected;
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }

  private async sessionOrOffer(
    code: string,
    payerSecret: string,
  ): Promise<{ session: CheckoutView } | { offered: PricedPaymentLink }> {
    const { session, offered } = await this.readLink.read(code, payerSecret);
    if (offered !== undefined) return { offered };
    if (!isOneOf(UNPAID_ENDED_STATUSES, session.status)) return { session };
    return { offered: (await this.readLink.read(code, undefined)).offered! };
  }

  private pageModelOf(code: string, offered: PricedPaymentLink, lastNetwork: string | undefined) {
    const {
      amount,
      coin_code: coinCode,
      payment_options: options,
      merchant,
      order,
    } = presentPricedLink(offered);
    return {
      code,
      merchant,
      order,
      amount,
      coinCode,
      options: this.pages.options(options, coinCode, lastNetwork),
      sandbox: this.pages.hasSandboxWallet,
    };
  }
}
