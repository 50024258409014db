import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sendDashboardPage, seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { OwnRateLimit } from '#shared/platform/http/callers/route-markers.js';
import {
  DashboardActionRoute,
  PublicDashboardRoute,
} from '#shared/platform/http/dashboard/dashboard-route.js';
import { handleFormSubmission, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import { catchFormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import type { SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { ResetPassword } from '#contexts/identity/application/people/reset-password.js';
import {
  RESET_REQUEST_FIELDS,
  requestResetPage,
  RESET_PASSWORD_FIELDS,
  resetPasswordPage,
} from './entry-pages.js';
import {
  WorkAfterResponse,
  RequestSources,
  clearSessionCookie,
  knownBrowserCookieDigestOf,
} from './visits.js';

@Controller('app/password-reset')
export class PasswordResetController {
  constructor(
    private readonly resetPassword: ResetPassword,
    private readonly visits: RequestSources,
    private readonly callers: PublicRateLimiter,
    private readonly afterAnswers: WorkAfterResponse,
  ) {}

  @PublicDashboardRoute()
  @Get()
  showRequestForm(@Query() { done }: CompletedActionQuery) {
    return showPage(requestResetPage({ done }));
  }

  @DashboardActionRoute('request a new password', 'enter', 'none', 'the link is sent by email only')
  @Post()
  async sendResetLink(
    @FormBody(RESET_REQUEST_FIELDS) form: SubmittedForm<typeof RESET_REQUEST_FIELDS>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await catchFormRefusal(() =>
      this.resetPassword.countResetRequest(this.visits.sourceOf(request).caller),
    );
    if (refusal !== undefined)
      return sendDashboardPage(response, requestResetPage({ sent: { ...form, refusal } }), refusal);
    response.redirect(303, '/app/password-reset?done=mailed');
    await this.afterAnswers.trackUntilFinished(this.resetPassword.sendResetLink(form.typed.email ?? ''));
  }

  @PublicDashboardRoute()
  @OwnRateLimit()
  @Get(':token')
  async show(@Param('token') token: string, @Req() request: Request) {
    const person = await this.callers.runLimited(request, token, () =>
      this.resetPassword.readResetLink(token),
    );
    return showPage(resetPasswordPage(person));
  }

  @DashboardActionRoute('choose a new password', 'enter', 'none', 'requires the emailed link')
  @OwnRateLimit()
  @Post(':token')
  changePassword(
    @Param('token') token: string,
    @FormBody(RESET_PASSWORD_FIELDS) form: SubmittedForm<typeof RESET_PASSWORD_FIELDS>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { password = '' } = form.typed;
    const again = async (sent: SubmittedForm) =>
      resetPasswordPage({ ...(await this.resetPassword.readResetLink(token)), sent });
    return this.callers.runLimited(request, token, () =>
      handleFormSubmission(form, again, async () => {
        const { address } = this.visits.sourceOf(request);
        await this.resetPassword.resetPassword(token, password, address, knownBrowserCookieDigestOf(request));
        clearSessionCookie(response);
        return seeOther('/app/sign-in?done=password');
      }),
    );
  }
}
