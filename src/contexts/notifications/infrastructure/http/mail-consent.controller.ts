import { Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { SelfSendingAnswer } from '#shared/platform/http/answers/answer.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { ChangeMailConsent } from '../../application/change-mail-consent.js';
import { MAIL_CONSENT_PATH } from '../../application/notification-links.js';
import { mailConsentPage, unknownMailLinkPage } from './mail-consent-page.js';

/**
 * Mail programs post here automatically (RFC 8058) without cookies, so only the token authenticates. GET changes
 * nothing, because virus scanners open every link.
 */
@PublicPages(MAIL_CONSENT_PATH)
export class MailConsentController {
  constructor(
    private readonly answer: ChangeMailConsent,
    private readonly callers: PublicRateLimiter,
  ) {}

  @Get(':token')
  show(@Param('token') token: string, @Req() request: Request): Promise<SelfSendingAnswer> {
    return this.showUnknownOr(request, token, async () =>
      showPage(mailConsentPage(await this.answer.read(token))),
    );
  }

  @Post(':token')
  unsubscribe(@Param('token') token: string, @Req() request: Request): Promise<SelfSendingAnswer> {
    return this.showUnknownOr(request, token, async () => {
      await this.answer.unsubscribe(token);
      return showPage(mailConsentPage(await this.answer.read(token)));
    });
  }

  @Post(':token/confirm')
  confirm(@Param('token') token: string, @Req() request: Request): Promise<SelfSendingAnswer> {
    return this.showUnknownOr(request, token, async () => {
      await this.answer.confirm(token);
      return seeOther(`${MAIL_CONSENT_PATH}/${token}`);
    });
  }

  private async showUnknownOr(
    request: Request,
    token: string,
    act: () => Promise<SelfSendingAnswer>,
  ): Promise<SelfSendingAnswer> {
    try {
      return await this.callers.runLimited(request, token, act);
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'not_found') throw error;
      return showPage(unknownMailLinkPage(), 404);
    }
  }
}
