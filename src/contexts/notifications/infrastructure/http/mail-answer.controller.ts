import { Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { SelfSentAnswer } from '#shared/platform/http/answers/answer.js';
import { PublicCallers } from '#shared/platform/http/callers/public-callers.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { AnswerMail } from '../../application/answer-mail.js';
import { MAIL_PATH } from '../../application/notification-links.js';
import { mailAnswerPage, unknownMailPage } from './mail-answer-page.js';

/**
 * Mail programs post here automatically (RFC 8058) without cookies, so only the token authenticates. GET changes
 * nothing, because virus scanners open every link.
 */
@PublicPages(MAIL_PATH)
export class MailAnswerController {
  constructor(
    private readonly answer: AnswerMail,
    private readonly callers: PublicCallers,
  ) {}

  @Get(':token')
  show(@Param('token') token: string, @Req() request: Request): Promise<SelfSentAnswer> {
    return this.showUnknownOr(request, token, async () =>
      showPage(mailAnswerPage(await this.answer.read(token))),
    );
  }

  @Post(':token')
  unsubscribe(@Param('token') token: string, @Req() request: Request): Promise<SelfSentAnswer> {
    return this.showUnknownOr(request, token, async () => {
      await this.answer.unsubscribe(token);
      return showPage(mailAnswerPage(await this.answer.read(token)));
    });
  }

  @Post(':token/confirm')
  confirm(@Param('token') token: string, @Req() request: Request): Promise<SelfSentAnswer> {
    return this.showUnknownOr(request, token, async () => {
      await this.answer.confirm(token);
      return seeOther(`${MAIL_PATH}/${token}`);
    });
  }

  private async showUnknownOr(
    request: Request,
    token: string,
    act: () => Promise<SelfSentAnswer>,
  ): Promise<SelfSentAnswer> {
    try {
      return await this.callers.runLimited(request, token, act);
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'not_found') throw error;
      return showPage(unknownMailPage(), 404);
    }
  }
}
