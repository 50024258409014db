import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { DashboardSessionId } from '#shared/kernel/ids.js';
import {
  seeOther,
  showPage,
  redirectToSecretPage,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { handleFormSubmission, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import type { FormActionOutcome, SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { AuditLogQueries } from '../persistence/audit-log-queries.js';
import { OneTimeSecretStore } from '#contexts/identity/contract/dashboard-session.js';
import { RemoveSecondFactor } from '#contexts/identity/application/people/remove-second-factor.js';
import { ChangePassword } from '#contexts/identity/application/people/change-password.js';
import { DashboardSessions } from '../persistence/dashboard-sessions.js';
import { SecondFactors } from '../persistence/second-factors.js';
import { RECOVERY_CODES_PATH } from './enrolment-pages.js';
import { NEW_PASSWORD_FIELDS, profilePage } from './profile-page.js';
import { clearSessionCookie } from './visits.js';

const MAX_DISPLAYED_SIGN_INS = 20;
const ChangeFactorsAct = () =>
  DashboardActionRoute(
    'change how you sign in',
    'own_account',
    'fresh',
    'a thief’s factor would allow everything else',
  );

@Controller('app/account')
export class ProfileController {
  constructor(
    private readonly changePassword: ChangePassword,
    private readonly removeSecondFactor: RemoveSecondFactor,
    private readonly factors: SecondFactors,
    private readonly sessions: DashboardSessions,
    private readonly auditLog: AuditLogQueries,
    private readonly oneTimeSecretStore: OneTimeSecretStore,
  ) {}

  @DashboardRoute('own_account')
  @Get()
  async show(@Query() { done }: CompletedActionQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(await this.renderOwnAccountPage(visitor, { done }));
  }

  @DashboardActionRoute('change the password', 'own_account', 'none', 'requires the current password')
  @Post('password')
  submitPassword(
    @FormBody(NEW_PASSWORD_FIELDS) form: SubmittedForm<typeof NEW_PASSWORD_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { current_password: current = '', password = '' } = form.typed;
    const again = (sent: SubmittedForm) => this.renderOwnAccountPage(visitor, { sent });
    return handleFormSubmission(form, again, async () => {
      await this.changePassword.change(visitor, visitor.sessionId, current, password);
      return seeOther('/app/account?done=password');
    });
  }

  @ChangeFactorsAct()
  @Post('recovery-codes')
  async renewRecoveryCodes(
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { recoveryCodes } = await this.removeSecondFactor.renewRecoveryCodes(visitor);
    const token = await this.oneTimeSecretStore.storeSecret(
      visitor.sessionId,
      RECOVERY_CODES_PATH,
      recoveryCodes.join('\n'),
    );
    return redirectToSecretPage(RECOVERY_CODES_PATH, token, response);
  }

  @ChangeFactorsAct()
  @Post('authenticator/remove')
  async removeAuthenticator(@CurrentDashboardUser() visitor: DashboardUser) {
    await this.removeSecondFactor.removeAuthenticator(visitor);
    return seeOther('/app/account?done=removed');
  }

  @ChangeFactorsAct()
  @Post('passkeys/:id/remove')
  async removePasskey(@Param('id') id: string, @CurrentDashboardUser() visitor: DashboardUser) {
    await this.removeSecondFactor.removePasskey(visitor, id);
    return seeOther('/app/account?done=removed');
  }

  @DashboardActionRoute(
    'end another session',
    'own_account',
    'fresh',
    'a thief could end the owner’s sessions',
  )
  @Post('sessions/:id/end')
  async endSession(
    @Param('id', new UuidParam('session')) id: DashboardSessionId,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    await this.sessions.end(visitor.collaboratorId, id);
    return seeOther('/app/account?done=session');
  }

  @DashboardActionRoute('sign out', 'own_account', 'none', 'removes access only')
  @Post('sessions/end-all')
  async endAllSessions(
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.sessions.endAll(visitor.collaboratorId);
    clearSessionCookie(response);
    return seeOther('/app/sign-in?done=sign-out');
  }

  private async renderOwnAccountPage(visitor: DashboardUser, outcome: FormActionOutcome) {
    const [factors, sessions, signIns] = await Promise.all([
      this.factors.readEnrolledFactors(visitor.collaboratorId),
      this.sessions.list(visitor.collaboratorId),
      this.auditLog.newestEntriesOf(visitor.collaboratorId, 'sign_in', MAX_DISPLAYED_SIGN_INS),
    ]);
    return profilePage({ visitor, factors, sessions, signIns, ...outcome });
  }
}
