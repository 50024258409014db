import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DashboardAct, DashboardEntry } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { setSessionCookie } from '#shared/platform/http/dashboard/session-cookie.js';
import { hrefWith } from '#shared/web/dashboard/list-parts.js';
import { DashboardSessions } from '#contexts/identity/application/people/dashboard-sessions.js';
import { NoteSignIn } from '#contexts/identity/application/people/note-sign-in.js';
import { SignIn } from '#contexts/identity/application/people/sign-in.js';
import { SignInForm, ThenQuery } from './people.form.js';
import { signInPage } from './pages/entry-pages.js';
import { AfterAnswers, Visits, clearSessionCookie, deviceDigestOf } from './visits.js';

@Controller('app')
export class SignInController {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: DashboardSessions,
    private readonly visits: Visits,
    private readonly noteSignIn: NoteSignIn,
    private readonly afterAnswers: AfterAnswers,
  ) {}

  @DashboardEntry()
  @Get('sign-in')
  show(@Query() { then, done }: ThenQuery, @Res() response: Response): void {
    sendDashboardPage(response, signInPage({ ...(then && { then }), ...(done && { done }) }));
  }

  @DashboardAct('sign_in')
  @Post('sign-in')
  async enter(
    @Body() { email = '', password = '', then }: SignInForm,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const visit = this.visits.visitOf(request);
    const refusal = await refusalOf(async () => {
      const deviceDigest = deviceDigestOf(request);
      const { token, stage } = await this.signIn.execute({
        email,
        password,
        deviceDigest,
        ...visit,
      });
      setSessionCookie(response, token);
      const next = stage === 'enrolling' ? '/app/second-factor/enrol' : '/app/second-factor';
      response.redirect(303, hrefWith(next, { then: stage === 'enrolling' ? undefined : then }));
    });
    if (refusal === undefined) return;
    sendDashboardPage(response, signInPage({ refusal, email, ...(then && { then }) }), refusal);
    const reason = refusal.status === 429 ? 'too many tries' : 'wrong password';
    await this.afterAnswers.finish(this.noteSignIn.refused(email, reason, visit));
  }

  @DashboardAct('sign_out', ['enrolling', 'challenged', 'signed_in'])
  @Post('sign-out')
  async leave(@CurrentVisitor() visitor: DashboardVisitor, @Res() response: Response): Promise<void> {
    await this.sessions.end(visitor.collaboratorId, visitor.sessionId);
    clearSessionCookie(response);
    // What this site has stored in the browser is of no use to the next person at it (OWASP ASVS 5, 14.3.1).
    response.setHeader('Clear-Site-Data', '"cache", "storage"');
    response.redirect(303, '/app/sign-in?done=sign-out');
  }
}
