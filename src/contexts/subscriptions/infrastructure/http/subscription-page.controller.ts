import { Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { pageLanguageOf } from '#shared/platform/http/browsers/page-language.js';
import { sendHtmlPage } from '#shared/platform/http/browsers/send-html-page.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import { IsQueryInteger } from '#shared/platform/http/validation/query-integer.js';
import { withBranding } from '#shared/web/branding/page-branding.js';
import { OpenOwedCharge } from '../../application/open-owed-charge.js';
import { SubscriptionQueries } from '../persistence/subscription-queries.js';
import { RevokeSubscription } from '../../application/revoke-subscription.js';
import { isOver, subscriptionPagePath } from '../pages/subscription-page-model.js';
import { renderRevokePage } from '../pages/revoke-page.js';
import { renderSubscriptionPage, SUBSCRIPTION_PAGE_ASSETS } from '../pages/subscription-page.js';
import { SubscriptionPageModels } from './subscription-page-models.js';

const MAX_PAGE = 1_000_000;

export class ChargesQuery {
  @IsQueryInteger({ min: 1, max: MAX_PAGE, default: 1 })
  page: number = 1;
}

/** Reading the page changes nothing; its forms pay and revoke. */
@PublicPages('subscription/:code')
export class SubscriptionPageController {
  constructor(
    private readonly queries: SubscriptionQueries,
    private readonly openOwed: OpenOwedCharge,
    private readonly revokeSubscription: RevokeSubscription,
    private readonly models: SubscriptionPageModels,
    private readonly callers: PublicRateLimiter,
  ) {}

  @Get()
  async show(
    @Param('code') code: string,
    @Query() { page }: ChargesQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const read = await this.callers.runLimited(request, code, () => this.queries.findByPageCode(code, page));
    const language = pageLanguageOf(request);
    const model = await this.models.modelOf(read, page);
    const html = renderSubscriptionPage(model, language);
    sendHtmlPage(response, {
      html,
      language,
      assets: withBranding(SUBSCRIPTION_PAGE_ASSETS, model.branding),
    });
  }

  @Post('pay')
  async pay(@Param('code') code: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const opened = await this.callers.runLimited(request, code, () => this.openOwed.forPayer(code));
    response.redirect(303, opened?.hostedCheckoutUrl ?? `/subscription/${code}`);
  }

  @Get('revoke')
  async showRevokePage(
    @Param('code') code: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const read = await this.callers.runLimited(request, code, () => this.queries.findByPageCode(code));
    const model = await this.models.modelOf(read);
    if (isOver(model)) return response.redirect(303, subscriptionPagePath(model));
    const language = pageLanguageOf(request);
    const assets = withBranding(SUBSCRIPTION_PAGE_ASSETS, model.branding);
    sendHtmlPage(response, { html: renderRevokePage(model, language), language, assets });
  }

  @Post('revoke')
  async revoke(
    @Param('code') code: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.callers.runLimited(request, code, () => this.revokeSubscription.byPayer(code));
    response.redirect(303, `/subscription/${code}`);
  }
}
