import { Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  seeOther,
  sendDashboardPage,
  setSessionCookie,
  showPage,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { OwnRateLimit } from '#shared/platform/http/callers/route-markers.js';
import {
  DashboardActionRoute,
  PublicDashboardRoute,
} from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { FormBody } from '#shared/platform/http/dashboard/form-body.js';
import { catchFormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import type { SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { hrefWith } from '#shared/web/dashboard/list-page.js';
import { DashboardSessions } from '../persistence/dashboard-sessions.js';
import { RecordSignIn } from '#contexts/identity/application/people/record-sign-in.js';
import { SignIn } from '#contexts/identity/application/people/sign-in.js';
import { SIGN_IN_FIELDS, signInPage } from './entry-pages.js';
import {
  WorkAfterResponse,
  clearSessionCookie,
  knownBrowserCookieDigestOf,
  SignInRedirectQuery,
  RequestSources,
} from './visits.js';

@Controller('app')
export class SignInController {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: DashboardSessions,
    private readonly visits: RequestSources,
    private readonly recordSignIn: RecordSignIn,
    private readonly afterAnswers: WorkAfterResponse,
  ) {}

  @PublicDashboardRoute()
  @Get('sign-in')
  show(@Query() { then, done }: SignInRedirectQuery) {
    return showPage(signInPage({ then, done }));
  }

  @DashboardActionRoute('sign in', 'enter', 'none', 'requires the password; the second factor follows')
  @OwnRateLimit()
  @Post('sign-in')
  async submitSignIn(
    @FormBody(SIGN_IN_FIELDS) form: SubmittedForm<typeof SIGN_IN_FIELDS>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const visit = this.visits.sourceOf(request);
    const { email = '', password = '', then } = form.typed;
    const refusal = await catchFormRefusal(async () => {
      const deviceDigest = knownBrowserCookieDigestOf(request);
      const { token, stage } = await this.signIn.signIn({ email, password, deviceDigest, ...visit });
      setSessionCookie(response, token);
      const next = stage === 'enrolling' ? '/app/second-factor/enrol' : '/app/second-factor';
      response.redirect(303, hrefWith(next, { then: stage === 'enrolling' ? undefined : then }));
    });
    if (refusal === undefined) return;
    sendDashboardPage(response, signInPage({ sent: { ...form, refusal } }), refusal);
    const reason = refusal.status === 429 ? 'too many tries' : 'wrong password';
    await this.afterAnswers.trackUntilFinished(this.recordSignIn.recordRefusal(email, reason, visit));
  }

  @DashboardActionRoute('sign out', 'own_account', 'none', 'removes access only', [
    'enrolling',
    'challenged',
    'signed_in',
  ])
  @Post('sign-out')
  async signOut(
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.sessions.end(visitor.collaboratorId, visitor.sessionId);
    clearSessionCookie(response);
    // For the next user of the browser (OWASP ASVS 5, 14.3.1).
    response.setHeader('Clear-Site-Data', '"cache", "storage"');
    return seeOther('/app/sign-in?done=sign-out');
  }
}
