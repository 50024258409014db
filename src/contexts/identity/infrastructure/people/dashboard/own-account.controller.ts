import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { SessionId } from '#shared/kernel/ids.js';
import {
  seeOther,
  showPage,
  redirectToSecretPage,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { answerForm, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import type { ActOutcome, SentForm } from '#shared/web/dashboard/form-fields.js';
import { AuditLogQueries } from '../persistence/audit-log-queries.js';
import { ShownOnce } from '#contexts/identity/contract/dashboard-session.js';
import { ChangeFactors } from '#contexts/identity/application/people/change-factors.js';
import { ChangePassword } from '#contexts/identity/application/people/change-password.js';
import { DashboardSessions } from '../persistence/dashboard-sessions.js';
import { SecondFactors } from '../persistence/second-factors.js';
import { RECOVERY_CODES_PATH } from './enrolment-pages.js';
import { NEW_PASSWORD_FIELDS, profilePage } from './profile-page.js';
import { clearSessionCookie } from './visits.js';

const MAX_DISPLAYED_SIGN_INS = 20;
const ChangeFactorsAct = () =>
  DashboardAct(
    'change how you sign in',
    'own_account',
    'fresh',
    'a thief’s factor would allow everything else',
  );

@Controller('app/account')
export class OwnAccountController {
  constructor(
    private readonly changePassword: ChangePassword,
    private readonly changeFactors: ChangeFactors,
    private readonly factors: SecondFactors,
    private readonly sessions: DashboardSessions,
    private readonly auditLog: AuditLogQueries,
    private readonly shownOnce: ShownOnce,
  ) {}

  @DashboardRoute('own_account')
  @Get()
  async show(@Query() { done }: CompletedActionQuery, @CurrentVisitor() visitor: DashboardVisitor) {
    return showPage(await this.renderOwnAccountPage(visitor, { done }));
  }

  @DashboardAct('change the password', 'own_account', 'none', 'requires the current password')
  @Post('password')
  submitPassword(
    @FormBody(NEW_PASSWORD_FIELDS) form: SentForm<typeof NEW_PASSWORD_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const { current_password: current = '', password = '' } = form.typed;
    const again = (sent: SentForm) => this.renderOwnAccountPage(visitor, { sent });
    return answerForm(form, again, async () => {
      await this.changePassword.change(visitor, visitor.sessionId, current, password);
      return seeOther('/app/account?done=password');
    });
  }

  @ChangeFactorsAct()
  @Post('recovery-codes')
  async renewRecoveryCodes(
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { recoveryCodes } = await this.changeFactors.renewRecoveryCodes(visitor);
    const token = await this.shownOnce.storeSecret(
      visitor.sessionId,
      RECOVERY_CODES_PATH,
      recoveryCodes.join('\n'),
    );
    return redirectToSecretPage(RECOVERY_CODES_PATH, token, response);
  }

  @ChangeFactorsAct()
  @Post('authenticator/remove')
  async removeAuthenticator(@CurrentVisitor() visitor: DashboardVisitor) {
    await this.changeFactors.removeAuthenticator(visitor);
    return seeOther('/app/account?done=removed');
  }

  @ChangeFactorsAct()
  @Post('passkeys/:id/remove')
  async removePasskey(@Param('id') id: string, @CurrentVisitor() visitor: DashboardVisitor) {
    await this.changeFactors.removePasskey(visitor, id);
    return seeOther('/app/account?done=removed');
  }

  @DashboardAct('end another session', 'own_account', 'fresh', 'a thief could end the owner’s sessions')
  @Post('sessions/:id/end')
  async endSession(
    @Param('id', new UuidParam('session')) id: SessionId,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    await this.sessions.end(visitor.collaboratorId, id);
    return seeOther('/app/account?done=session');
  }

  @DashboardAct('sign out', 'own_account', 'none', 'removes access only')
  @Post('sessions/end-all')
  async endAllSessions(
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.sessions.endAll(visitor.collaboratorId);
    clearSessionCookie(response);
    return seeOther('/app/sign-in?done=sign-out');
  }

  private async renderOwnAccountPage(visitor: DashboardVisitor, outcome: ActOutcome) {
    const [factors, sessions, signIns] = await Promise.all([
      this.factors.readEnrolledFactors(visitor.collaboratorId),
      this.sessions.list(visitor.collaboratorId),
      this.auditLog.newestEntriesOf(visitor.collaboratorId, 'sign_in', MAX_DISPLAYED_SIGN_INS),
    ]);
    return profilePage({ visitor, factors, sessions, signIns, ...outcome });
  }
}
