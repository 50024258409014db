import { Controller, Get, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  seeOther,
  setSessionCookie,
  showPage,
  SecretPageToken,
  redirectToSecretPage,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { answerForm, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import { hrefWith } from '#shared/web/dashboard/list-page.js';
import type { SentForm } from '#shared/web/dashboard/form-fields.js';
import { drawQr } from '#shared/web/parts/qr-code.js';
import { ShownOnce } from '#contexts/identity/contract/dashboard-session.js';
import { EnrolAuthenticator } from '#contexts/identity/application/people/enrol-authenticator.js';
import { EnrolPasskey } from '#contexts/identity/application/people/enrol-passkey.js';
import { PassSecondFactor } from '#contexts/identity/application/people/pass-second-factor.js';
import {
  AUTHENTICATOR_FIELDS,
  enrolmentPage,
  PASSKEY_FIELDS,
  RECOVERY_CODES_PATH,
  recoveryCodesPage,
} from './enrolment-pages.js';
import { continuationPath, requireFreshProof, setDeviceCookie, ContinuationQuery } from './visits.js';

const ENROLMENT_STAGES = ['enrolling', 'signed_in'] as const;
const EnrolFactorAct = () =>
  DashboardAct(
    'change how you sign in',
    'own_account',
    'fresh',
    'a thief’s factor would allow everything else',
    ENROLMENT_STAGES,
  );

@Controller('app/second-factor')
export class EnrolmentController {
  constructor(
    private readonly authenticator: EnrolAuthenticator,
    private readonly passkey: EnrolPasskey,
    private readonly passSecondFactor: PassSecondFactor,
    private readonly shownOnce: ShownOnce,
  ) {}

  @DashboardRoute('own_account', ENROLMENT_STAGES)
  @Get('enrol')
  async show(@CurrentVisitor() visitor: DashboardVisitor) {
    requireFreshProof(visitor);
    return showPage(await this.renderEnrolmentPage(visitor));
  }

  @EnrolFactorAct()
  @Post('authenticator')
  enrolAuthenticator(
    @FormBody(AUTHENTICATOR_FIELDS) form: SentForm<typeof AUTHENTICATOR_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res({ passthrough: true }) response: Response,
  ) {
    const again = (sent: SentForm) => this.renderEnrolmentPage(visitor, sent);
    return answerForm(form, again, async () => {
      const { recoveryCodes } = await this.authenticator.confirm(visitor, form.typed.new_code ?? '');
      return this.continueAfterEnrolment(visitor, response, recoveryCodes);
    });
  }

  /** The script of the enrolment page calls this route. */
  @EnrolFactorAct()
  @Post('passkey/options')
  async passkeyOptions(
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    response.type('json').send(await this.passkey.begin(visitor));
  }

  @EnrolFactorAct()
  @Post('passkey')
  enrolPasskey(
    @FormBody(PASSKEY_FIELDS) form: SentForm<typeof PASSKEY_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { name = '', answer = '' } = form.typed;
    const again = (sent: SentForm) => this.renderEnrolmentPage(visitor, sent);
    return answerForm(form, again, async () => {
      const { recoveryCodes } = await this.passkey.finish(visitor, name, answer);
      return this.continueAfterEnrolment(visitor, response, recoveryCodes);
    });
  }

  /** To the new recovery codes if there are any. */
  private async continueAfterEnrolment(
    { collaboratorId, sessionId, stage }: DashboardVisitor,
    response: Response,
    codes: readonly string[],
  ) {
    const { token, deviceToken } = await this.passSecondFactor.completeSignIn(collaboratorId, sessionId);
    setSessionCookie(response, token);
    setDeviceCookie(response, deviceToken);
    const next = stage === 'enrolling' ? '/app' : '/app/account?done=factor';
    if (codes.length === 0) return seeOther(next);
    const kept = await this.shownOnce.storeSecret(sessionId, RECOVERY_CODES_PATH, codes.join('\n'));
    return redirectToSecretPage(hrefWith(RECOVERY_CODES_PATH, { then: next }), kept, response);
  }

  @DashboardRoute('own_account')
  @Get('recovery-codes')
  async showRecoveryCodes(
    @Query() { then = '/app/account' }: ContinuationQuery,
    @SecretPageToken() token: string | undefined,
    @CurrentVisitor() { sessionId }: DashboardVisitor,
  ) {
    const codes = await this.shownOnce.takeSecret(sessionId, RECOVERY_CODES_PATH, token);
    if (codes === null) return seeOther('/app/account?done=shown');
    return showPage(recoveryCodesPage(codes.split('\n'), continuationPath(then)));
  }

  private async renderEnrolmentPage(visitor: DashboardVisitor, sent?: SentForm) {
    const { secret, url } = await this.authenticator.begin(visitor);
    return enrolmentPage({ secret, qr: drawQr(url)!, isFirst: visitor.stage === 'enrolling', sent });
  }
}
