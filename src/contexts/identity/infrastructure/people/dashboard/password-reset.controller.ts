import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DashboardAct, DashboardEntry } from '#shared/platform/http/dashboard/dashboard-route.js';
import { refusalOf } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { ResetPassword } from '#contexts/identity/application/people/reset-password.js';
import { RequestResetForm, ResetPasswordForm } from './people.form.js';
import { requestResetPage, resetPasswordPage } from './pages/entry-pages.js';
import { AfterAnswers, Visits, clearSessionCookie, deviceDigestOf } from './visits.js';

@Controller('app/password-reset')
export class PasswordResetController {
  constructor(
    private readonly reset: ResetPassword,
    private readonly visits: Visits,
    private readonly afterAnswers: AfterAnswers,
  ) {}

  @DashboardEntry()
  @Get()
  ask(@Res() response: Response): void {
    sendDashboardPage(response, requestResetPage({}));
  }

  @DashboardAct('ask_for_reset')
  @Post()
  async send(
    @Body() { email = '' }: RequestResetForm,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(() => this.reset.admit(this.visits.visitOf(request).caller));
    const page =
      refusal === undefined ? requestResetPage({ isSent: true }) : requestResetPage({ refusal, email });
    sendDashboardPage(response, page, refusal);
    if (refusal === undefined) await this.afterAnswers.finish(this.reset.request(email));
  }

  @DashboardEntry()
  @Get(':token')
  async show(@Param('token') token: string, @Res() response: Response): Promise<void> {
    const { email } = await this.reset.read(token);
    sendDashboardPage(response, resetPasswordPage(email, {}));
  }

  @DashboardAct('reset_password')
  @Post(':token')
  async change(
    @Param('token') token: string,
    @Body() { password = '' }: ResetPasswordForm,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => {
      const { address } = this.visits.visitOf(request);
      await this.reset.execute(token, password, address, deviceDigestOf(request));
      clearSessionCookie(response);
      response.redirect(303, '/app/sign-in?done=password');
    });
    if (refusal === undefined) return;
    const { email } = await this.reset.read(token);
    sendDashboardPage(response, resetPasswordPage(email, { refusal }), refusal);
  }
}
