import { Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { notFound } from '#shared/kernel/domain-error.js';
import type { SignInStage } from '#shared/kernel/dashboard-access.js';
import {
  seeOther,
  sendDashboardPage,
  setSessionCookie,
  showPage,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { handleFormSubmission, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import { catchFormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import type { SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { PasskeyCeremonies } from '#contexts/identity/application/people/passkey-ceremonies.js';
import { DashboardSessions } from '../persistence/dashboard-sessions.js';
import { RecordSignIn } from '#contexts/identity/application/people/record-sign-in.js';
import { SecondFactors } from '../persistence/second-factors.js';
import { CompleteSignIn } from '#contexts/identity/application/people/complete-sign-in.js';
import { VerifySecondFactor } from '#contexts/identity/application/people/verify-second-factor.js';
import { confirmWithFactorPage, SECOND_FACTOR_FIELDS, secondFactorPage } from './entry-pages.js';
import {
  WorkAfterResponse,
  safeRedirectPath,
  knownBrowserCookieDigestOf,
  setKnownBrowserCookie,
  SignInRedirectQuery,
  RequestSources,
} from './visits.js';

const SecondFactorRoute = (stages?: readonly SignInStage[]) =>
  DashboardActionRoute('verify the second factor', 'own_account', 'none', 'it is the second factor', stages);

@Controller('app')
export class SecondFactorController {
  constructor(
    private readonly passSecondFactor: CompleteSignIn,
    private readonly prove: VerifySecondFactor,
    private readonly factors: SecondFactors,
    private readonly ceremonies: PasskeyCeremonies,
    private readonly sessions: DashboardSessions,
    private readonly visits: RequestSources,
    private readonly recordSignIn: RecordSignIn,
    private readonly afterAnswers: WorkAfterResponse,
  ) {}

  @DashboardRoute('own_account', ['challenged'])
  @Get('second-factor')
  showSignInForm(
    @Query() { then }: SignInRedirectQuery,
    @CurrentDashboardUser() { hasPasskey }: DashboardUser,
  ) {
    return showPage(secondFactorPage({ then, hasPasskey }));
  }

  @SecondFactorRoute(['challenged'])
  @Post('second-factor')
  async completeSignIn(
    @FormBody(SECOND_FACTOR_FIELDS) form: SubmittedForm<typeof SECOND_FACTOR_FIELDS>,
    @CurrentDashboardUser() person: DashboardUser,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const visit = this.visits.sourceOf(request);
    const { code = '', then } = form.typed;
    const refusal = await catchFormRefusal(async () => {
      const { token, deviceToken } = await this.passSecondFactor.passWithCode({
        ...person,
        code,
        deviceDigest: knownBrowserCookieDigestOf(request),
        userAgent: visit.userAgent,
      });
      setSessionCookie(response, token);
      setKnownBrowserCookie(response, deviceToken);
      response.redirect(303, safeRedirectPath(then));
    });
    if (refusal === undefined) return;
    sendDashboardPage(
      response,
      secondFactorPage({ sent: { ...form, refusal }, hasPasskey: person.hasPasskey }),
      refusal,
    );
    const reason = refusal.status === 429 ? 'too many tries' : 'wrong code';
    await this.afterAnswers.trackUntilFinished(this.recordSignIn.recordRefusal(person.email, reason, visit));
  }

  @DashboardRoute('own_account')
  @Get('confirm')
  showConfirmForm(
    @Query() { then }: SignInRedirectQuery,
    @CurrentDashboardUser() { hasPasskey }: DashboardUser,
  ) {
    return showPage(confirmWithFactorPage({ then, hasPasskey }));
  }

  @SecondFactorRoute()
  @Post('confirm')
  confirmFactor(
    @FormBody(SECOND_FACTOR_FIELDS) form: SubmittedForm<typeof SECOND_FACTOR_FIELDS>,
    @CurrentDashboardUser() { collaboratorId, sessionId, hasPasskey }: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { code = '', then } = form.typed;
    const again = (sent: SubmittedForm) => confirmWithFactorPage({ sent, hasPasskey });
    return handleFormSubmission(form, again, async () => {
      const { sessionToken } = await this.prove.verify({ collaboratorId, sessionId, code });
      setSessionCookie(response, sessionToken);
      return seeOther(safeRedirectPath(then));
    });
  }

  /** Scripts of all forms that ask for the second factor call this route. */
  @SecondFactorRoute(['challenged', 'signed_in'])
  @Post('second-factor/challenge')
  async createPasskeyChallenge(
    @CurrentDashboardUser() { collaboratorId, sessionId }: DashboardUser,
    @Res() response: Response,
  ): Promise<void> {
    const { passkeys } = await this.factors.readEnrolledFactors(collaboratorId);
    if (passkeys.length === 0) throw notFound('passkey');
    const { optionsJson, challenge } = await this.ceremonies.beginAuthentication(passkeys);
    await this.sessions.storeChallenge(sessionId, challenge);
    response.type('json').send(optionsJson);
  }
}
