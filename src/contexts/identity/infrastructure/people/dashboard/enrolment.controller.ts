import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { setSessionCookie } from '#shared/platform/http/dashboard/session-cookie.js';
import { drawQr } from '#shared/web/qr/qr-code.js';
import { EnrolAuthenticator } from '#contexts/identity/application/people/enrol-authenticator.js';
import { EnrolPasskey } from '#contexts/identity/application/people/enrol-passkey.js';
import { PassSecondFactor } from '#contexts/identity/application/people/pass-second-factor.js';
import { EnrolAuthenticatorForm, EnrolPasskeyForm } from './people.form.js';
import { enrolmentPage, recoveryCodesPage, type EnrolmentProps } from './pages/enrolment-pages.js';
import { demandFreshProof, setDeviceCookie } from './visits.js';

const STAGES = ['enrolling', 'signed_in'] as const;

/** Sets up a second factor: required after an invitation, optional later. */
@Controller('app/second-factor')
export class EnrolmentController {
  constructor(
    private readonly authenticator: EnrolAuthenticator,
    private readonly passkey: EnrolPasskey,
    private readonly pass: PassSecondFactor,
  ) {}

  @DashboardRoute('own_account', STAGES)
  @Get('enrol')
  async show(@CurrentVisitor() visitor: DashboardVisitor, @Res() response: Response): Promise<void> {
    demandFreshProof(visitor);
    await this.send(visitor, response, {});
  }

  @DashboardAct('change_factors', STAGES)
  @Post('authenticator')
  async enrolAuthenticator(
    @Body() { new_code: code = '' }: EnrolAuthenticatorForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => {
      const { recoveryCodes } = await this.authenticator.confirm(visitor, code);
      await this.goOn(visitor, response, recoveryCodes);
    });
    if (refusal !== undefined)
      await this.send(visitor, response, { refused: 'authenticator', refusal }, refusal.status);
  }

  /** For the page's script. */
  @DashboardAct('change_factors', STAGES)
  @Post('passkey/options')
  async passkeyOptions(
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    response.type('json').send(await this.passkey.begin(visitor));
  }

  @DashboardAct('change_factors', STAGES)
  @Post('passkey')
  async enrolPasskey(
    @Body() { name = '', answer = '' }: EnrolPasskeyForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => {
      const { recoveryCodes } = await this.passkey.finish(visitor, name, answer);
      await this.goOn(visitor, response, recoveryCodes);
    });
    if (refusal !== undefined)
      await this.send(visitor, response, { refused: 'passkey', refusal, passkeyName: name }, refusal.status);
  }

  /** Continues under a new cookie; new recovery codes are shown once. */
  private async goOn(
    { collaboratorId, sessionId, stage }: DashboardVisitor,
    response: Response,
    codes: string[],
  ) {
    const { token, deviceToken } = await this.pass.complete(collaboratorId, sessionId);
    setSessionCookie(response, token);
    setDeviceCookie(response, deviceToken);
    const next = stage === 'enrolling' ? '/app' : '/app/account?done=factor';
    if (codes.length === 0) response.redirect(303, next);
    else sendDashboardPage(response, recoveryCodesPage(codes, next));
  }

  private async send(
    visitor: DashboardVisitor,
    response: Response,
    refused: Pick<EnrolmentProps, 'refused' | 'refusal' | 'passkeyName'>,
    status = 200,
  ): Promise<void> {
    const { secret, url } = await this.authenticator.begin(visitor);
    const isFirst = visitor.stage === 'enrolling';
    sendDashboardPage(response, enrolmentPage({ secret, qr: drawQr(url)!, isFirst, ...refused }), status);
  }
}
