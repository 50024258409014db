import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { formatAmount } from '#shared/kernel/amount.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { pageLanguageOf } from '#shared/platform/http/browsers/page-language.js';
import { sendHtmlPage } from '#shared/platform/http/browsers/send-html-page.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import { IsAnyText, IsOneOf } from '#shared/platform/http/validation/field-rules.js';
import { pageBranding, withBranding } from '#shared/web/branding/page-branding.js';
import { AccountBranding } from '#contexts/identity/contract/account-branding.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { ClaimRefund } from '#contexts/settlement/application/refunds/claim-refund.js';
import {
  FindRefundByClaimCode,
  RefundSettings,
} from '#contexts/settlement/application/refunds/refund-claim.js';
import {
  MAX_REFUND_ADDRESS_LENGTH,
  type RefundSnapshot,
} from '#contexts/settlement/domain/refunds/refund.js';
import {
  REFUND_PAGE_ASSETS,
  type PayerRefundPageModel,
  renderPayerRefundPage,
} from '../pages/payer-refund-page.js';

export class ClaimRefundForm {
  @IsAnyText()
  refund_to_address!: string;

  @IsOneOf(['true'], { optional: true })
  confirmed?: 'true';
}

@PublicPages('refund/:claim')
export class PayerRefundPageController {
  constructor(
    private readonly readClaimed: FindRefundByClaimCode,
    private readonly claimRefund: ClaimRefund,
    private readonly catalogue: NetworkCatalogue,
    private readonly callers: PublicRateLimiter,
    private readonly brandings: AccountBranding,
    private readonly settings: RefundSettings,
  ) {}

  @Get()
  async show(
    @Param('claim') claim: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const refund = await this.callers.runLimited(request, claim, () => this.readClaimed.find(claim));
    this.sendPage(await this.pageModelOf(claim, refund), request, response);
  }

  @Post()
  async submitAddress(
    @Param('claim') claim: string,
    @Body() body: ClaimRefundForm,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const written = body.refund_to_address.trim();
    const confirmed = body.confirmed === 'true';
    try {
      const { refund, to } = await this.callers.runLimited(request, claim, () =>
        this.claimRefund.claim({ claim, refundToAddress: written, confirmed }),
      );
      if (confirmed || refund.to !== undefined) return response.redirect(303, request.originalUrl);
      const address = toDisplayAddress(to);
      const model = { ...(await this.pageModelOf(claim, refund)), written: { address, refused: false } };
      this.sendPage(model, request, response);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // The payer has already named an address. The page displays that address.
      if (error.kind === 'conflict') return response.redirect(303, request.originalUrl);
      if (error.kind !== 'invalid') throw error;
      const model = await this.pageModelOf(claim, await this.readClaimed.find(claim));
      const refused = {
        ...model,
        written: { address: written.slice(0, MAX_REFUND_ADDRESS_LENGTH), refused: true },
      };
      this.sendPage(refused, request, response, 400);
    }
  }

  private sendPage(model: PayerRefundPageModel, request: Request, response: Response, status = 200): void {
    const language = pageLanguageOf(request);
    const html = renderPayerRefundPage(model, language);
    const assets = withBranding(REFUND_PAGE_ASSETS, model.branding);
    sendHtmlPage(response, { html, language, assets, status });
  }

  private async pageModelOf(claim: string, refund: RefundSnapshot): Promise<PayerRefundPageModel> {
    const { asset, to, transactionHash } = refund;
    return {
      claim,
      merchant: refund.merchantName,
      branding: pageBranding(await this.brandings.brandingOf(refund)),
      sandbox: this.settings.isSandbox,
      amount: formatAmount(refund.amount, asset.decimals),
      symbol: asset.symbol,
      assetName: this.catalogue.asset(asset.uniqueAssetId)?.name ?? asset.symbol,
      networkName: this.catalogue.network(asset.network)?.name ?? asset.network,
      status: refund.status,
      ...(to === undefined ? {} : { address: toDisplayAddress(to) }),
      ...(transactionHash === undefined ? {} : { transactionHash }),
    };
  }
}
