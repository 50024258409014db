import { Controller, Get, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  seeOther,
  setSessionCookie,
  showPage,
  SecretPageToken,
  redirectToSecretPage,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { handleFormSubmission, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import { hrefWith } from '#shared/web/dashboard/list-page.js';
import type { SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { createQrImage } from '#shared/web/parts/qr-code.js';
import { OneTimeSecretStore } from '#contexts/identity/contract/dashboard-session.js';
import { EnrolAuthenticator } from '#contexts/identity/application/people/enrol-authenticator.js';
import { EnrolPasskey } from '#contexts/identity/application/people/enrol-passkey.js';
import { CompleteSignIn } from '#contexts/identity/application/people/complete-sign-in.js';
import {
  AUTHENTICATOR_FIELDS,
  secondFactorEnrolmentPage,
  PASSKEY_FIELDS,
  RECOVERY_CODES_PATH,
  recoveryCodesPage,
} from './enrolment-pages.js';
import {
  safeRedirectPath,
  requireRecentSecondFactor,
  setKnownBrowserCookie,
  SignInRedirectQuery,
} from './visits.js';

const ENROLMENT_STAGES = ['enrolling', 'signed_in'] as const;
const EnrolFactorAct = () =>
  DashboardActionRoute(
    'change how you sign in',
    'own_account',
    'fresh',
    'a thief’s factor would allow everything else',
    ENROLMENT_STAGES,
  );

@Controller('app/second-factor')
export class SecondFactorEnrolmentController {
  constructor(
    private readonly authenticator: EnrolAuthenticator,
    private readonly passkey: EnrolPasskey,
    private readonly completeSignIn: CompleteSignIn,
    private readonly oneTimeSecretStore: OneTimeSecretStore,
  ) {}

  @DashboardRoute('own_account', ENROLMENT_STAGES)
  @Get('enrol')
  async show(@CurrentDashboardUser() visitor: DashboardUser) {
    requireRecentSecondFactor(visitor);
    return showPage(await this.renderEnrolmentPage(visitor));
  }

  @EnrolFactorAct()
  @Post('authenticator')
  enrolAuthenticator(
    @FormBody(AUTHENTICATOR_FIELDS) form: SubmittedForm<typeof AUTHENTICATOR_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    const again = (sent: SubmittedForm) => this.renderEnrolmentPage(visitor, sent);
    return handleFormSubmission(form, again, async () => {
      const { recoveryCodes } = await this.authenticator.confirm(visitor, form.typed.new_code ?? '');
      return this.continueAfterEnrolment(visitor, response, recoveryCodes);
    });
  }

  /** The script of the enrolment page calls this route. */
  @EnrolFactorAct()
  @Post('passkey/options')
  async passkeyOptions(
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res() response: Response,
  ): Promise<void> {
    response.type('json').send(await this.passkey.begin(visitor));
  }

  @EnrolFactorAct()
  @Post('passkey')
  enrolPasskey(
    @FormBody(PASSKEY_FIELDS) form: SubmittedForm<typeof PASSKEY_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { name = '', answer = '' } = form.typed;
    const again = (sent: SubmittedForm) => this.renderEnrolmentPage(visitor, sent);
    return handleFormSubmission(form, again, async () => {
      const { recoveryCodes } = await this.passkey.finish(visitor, name, answer);
      return this.continueAfterEnrolment(visitor, response, recoveryCodes);
    });
  }

  /** To the new recovery codes if there are any. */
  private async continueAfterEnrolment(
    { collaboratorId, sessionId, stage }: DashboardUser,
    response: Response,
    codes: readonly string[],
  ) {
    const { token, deviceToken } = await this.completeSignIn.complete(collaboratorId, sessionId);
    setSessionCookie(response, token);
    setKnownBrowserCookie(response, deviceToken);
    const next = stage === 'enrolling' ? '/app' : '/app/account?done=factor';
    if (codes.length === 0) return seeOther(next);
    const kept = await this.oneTimeSecretStore.storeSecret(sessionId, RECOVERY_CODES_PATH, codes.join('\n'));
    return redirectToSecretPage(hrefWith(RECOVERY_CODES_PATH, { then: next }), kept, response);
  }

  @DashboardRoute('own_account')
  @Get('recovery-codes')
  async showRecoveryCodes(
    @Query() { then = '/app/account' }: SignInRedirectQuery,
    @SecretPageToken() token: string | undefined,
    @CurrentDashboardUser() { sessionId }: DashboardUser,
  ) {
    const codes = await this.oneTimeSecretStore.consumeSecret(sessionId, RECOVERY_CODES_PATH, token);
    if (codes === null) return seeOther('/app/account?done=shown');
    return showPage(recoveryCodesPage(codes.split('\n'), safeRedirectPath(then)));
  }

  private async renderEnrolmentPage(visitor: DashboardUser, sent?: SubmittedForm) {
    const { secret, url } = await this.authenticator.begin(visitor);
    return secondFactorEnrolmentPage({
      secret,
      qr: createQrImage(url)!,
      isFirst: visitor.stage === 'enrolling',
      sent,
    });
  }
}
