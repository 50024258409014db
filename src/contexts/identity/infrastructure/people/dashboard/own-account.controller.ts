import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { SessionId } from '#shared/kernel/ids.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf, type FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { AuditLogQueries } from '../persistence/audit-log-queries.js';
import { ChangeFactors } from '#contexts/identity/application/people/change-factors.js';
import { ChangePassword } from '#contexts/identity/application/people/change-password.js';
import { DashboardSessions } from '#contexts/identity/application/people/dashboard-sessions.js';
import { SecondFactors } from '#contexts/identity/application/people/second-factors.js';
import { ChangePasswordForm, DoneQuery } from './people.form.js';
import { recoveryCodesPage } from './pages/enrolment-pages.js';
import { ownAccountPage } from './pages/own-account-page.js';
import { clearSessionCookie } from './visits.js';

const SIGN_INS_SHOWN = 20;

/** A person manages their own password, second factors and sessions. */
@Controller('app/account')
export class OwnAccountController {
  constructor(
    private readonly changePassword: ChangePassword,
    private readonly changeFactors: ChangeFactors,
    private readonly factors: SecondFactors,
    private readonly sessions: DashboardSessions,
    private readonly auditLog: AuditLogQueries,
  ) {}

  @DashboardRoute('own_account')
  @Get()
  async show(
    @Query() { done }: DoneQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(visitor, response, { done });
  }

  @DashboardAct('change_password')
  @Post('password')
  async password(
    @Body() { current_password: current = '', password = '' }: ChangePasswordForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(() =>
      this.changePassword.execute(visitor, visitor.sessionId, current, password),
    );
    if (refusal === undefined) response.redirect(303, '/app/account?done=password');
    else await this.send(visitor, response, { refusal }, refusal.status);
  }

  @DashboardAct('change_factors')
  @Post('recovery-codes')
  async renewRecoveryCodes(
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const { recoveryCodes } = await this.changeFactors.renewRecoveryCodes(visitor);
    sendDashboardPage(response, recoveryCodesPage(recoveryCodes, '/app/account'));
  }

  @DashboardAct('change_factors')
  @Post('authenticator/remove')
  async removeAuthenticator(
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    await this.changeFactors.removeAuthenticator(visitor);
    response.redirect(303, '/app/account?done=removed');
  }

  @DashboardAct('change_factors')
  @Post('passkeys/:id/remove')
  async removePasskey(
    @Param('id') id: string,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    await this.changeFactors.removePasskey(visitor, id);
    response.redirect(303, '/app/account?done=removed');
  }

  @DashboardAct('end_session')
  @Post('sessions/:id/end')
  async endSession(
    @Param('id', new UuidParam('session')) id: SessionId,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    await this.sessions.end(visitor.collaboratorId, id);
    response.redirect(303, '/app/account?done=session');
  }

  @DashboardAct('sign_out')
  @Post('sessions/end-all')
  async endAllSessions(
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    await this.sessions.endAll(visitor.collaboratorId);
    clearSessionCookie(response);
    response.redirect(303, '/app/sign-in?done=sign-out');
  }

  private async send(
    visitor: DashboardVisitor,
    response: Response,
    shown: { done?: string | undefined; refusal?: FormRefusal },
    status = 200,
  ): Promise<void> {
    const [factors, sessions, signIns] = await Promise.all([
      this.factors.enrolledBy(visitor.collaboratorId),
      this.sessions.list(visitor.collaboratorId),
      this.auditLog.newestOf(visitor.collaboratorId, 'sign_in', SIGN_INS_SHOWN),
    ]);
    sendDashboardPage(response, ownAccountPage({ visitor, factors, sessions, signIns, ...shown }), status);
  }
}
