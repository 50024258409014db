import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { DashboardSettings } from '#shared/platform/http/dashboard/dashboard-settings.js';
import { PasskeyCeremonies } from './application/people/passkey-ceremonies.js';
import { PasswordHasher } from './application/people/password-hasher.js';
import { AcceptInvitation } from './application/people/accept-invitation.js';
import { ChangeCollaborator } from './application/people/change-collaborator.js';
import { RemoveSecondFactor } from './application/people/remove-second-factor.js';
import { ChangePassword } from './application/people/change-password.js';
import { OutgoingMails } from './contract/outgoing-mails.js';
import { DashboardLinks } from './domain/people/mails.js';
import { EnrolAuthenticator } from './application/people/enrol-authenticator.js';
import { EnrolPasskey } from './application/people/enrol-passkey.js';
import { SecondFactorChangeRunner } from './application/people/second-factor-change-runner.js';
import { InviteCollaborator } from './application/people/invite-collaborator.js';
import { RecordSecurityChange } from './application/people/record-security-change.js';
import { RecordSignIn } from './application/people/record-sign-in.js';
import { CompleteSignIn } from './application/people/complete-sign-in.js';
import { ResetPassword } from './application/people/reset-password.js';
import { VerifySecondFactor } from './application/people/verify-second-factor.js';
import { SignIn } from './application/people/sign-in.js';
import { OneTimeSecretStore, SecondFactorVerifier } from './contract/dashboard-session.js';
import { AccountsController } from './infrastructure/accounts/dashboard/accounts.controller.js';
import { ApiKeysController } from './infrastructure/credentials/dashboard/api-keys.controller.js';
import { BrandingController } from './infrastructure/branding/dashboard/branding.controller.js';
import { WorkAfterResponse, RequestSources } from './infrastructure/people/dashboard/visits.js';
import { AuditLogController } from './infrastructure/people/dashboard/audit-log.controller.js';
import { DashboardFailurePages } from './infrastructure/people/dashboard/dashboard-failure-pages.js';
import { DashboardGuard } from './infrastructure/people/dashboard/dashboard.guard.js';
import { SecondFactorEnrolmentController } from './infrastructure/people/dashboard/second-factor-enrolment.controller.js';
import { RecentSecondFactorGuard } from './infrastructure/people/dashboard/recent-second-factor.guard.js';
import { InvitationController } from './infrastructure/people/dashboard/invitation.controller.js';
import { ProfileController } from './infrastructure/people/dashboard/profile.controller.js';
import { PasswordResetController } from './infrastructure/people/dashboard/password-reset.controller.js';
import { SecondFactorController } from './infrastructure/people/dashboard/second-factor.controller.js';
import { SignInController } from './infrastructure/people/dashboard/sign-in.controller.js';
import { TeamController } from './infrastructure/people/dashboard/team.controller.js';
import { MailSending } from './infrastructure/people/mail/mail-sending.js';
import { MailServer } from './infrastructure/people/mail/mail-server.js';
import { AuditLogQueries } from './infrastructure/people/persistence/audit-log-queries.js';
import { DashboardSessions } from './infrastructure/people/persistence/dashboard-sessions.js';
import { Invitations } from './infrastructure/people/persistence/invitations.js';
import { KnownSignInBrowsers } from './infrastructure/people/persistence/known-sign-in-browsers.js';
import { OutgoingMailQueue } from './infrastructure/people/persistence/outgoing-mail-queue.js';
import { PasswordResets } from './infrastructure/people/persistence/password-resets.js';
import {
  AuthenticatorSecretBox,
  ResealAuthenticators,
} from './infrastructure/people/persistence/authenticator-secrets.js';
import { PostgresOneTimeSecretStore } from './infrastructure/people/persistence/postgres-one-time-secret-store.js';
import { SecondFactors } from './infrastructure/people/persistence/second-factors.js';
import { LockOuts } from './infrastructure/people/persistence/lock-outs.js';
import { PruneExpiredSignInData } from './infrastructure/people/persistence/prune-expired-sign-in-data.js';

/** Requires `SignInAndMailSettings` and `DashboardSettings` from a global module. */
@Global()
@Module({
  controllers: [
    AccountsController,
    BrandingController,
    ApiKeysController,
    SignInController,
    SecondFactorController,
    SecondFactorEnrolmentController,
    InvitationController,
    PasswordResetController,
    ProfileController,
    TeamController,
    AuditLogController,
  ],
  providers: [
    AuditLogQueries,
    {
      provide: DashboardLinks,
      inject: [DashboardSettings],
      useFactory: (settings: DashboardSettings) => new DashboardLinks(settings.url()),
    },
    DashboardSessions,
    Invitations,
    KnownSignInBrowsers,
    { provide: OutgoingMails, useClass: OutgoingMailQueue },
    {
      provide: PasskeyCeremonies,
      inject: [DashboardSettings],
      useFactory: ({ origin }: DashboardSettings) => new PasskeyCeremonies(origin),
    },
    PasswordResets,
    PasswordHasher,
    { provide: SecondFactorVerifier, useExisting: VerifySecondFactor },
    { provide: OneTimeSecretStore, useClass: PostgresOneTimeSecretStore },
    SecondFactors,
    AuthenticatorSecretBox,
    ResealAuthenticators,
    LockOuts,
    { provide: APP_GUARD, useClass: DashboardGuard },
    AcceptInvitation,
    WorkAfterResponse,
    ChangeCollaborator,
    RemoveSecondFactor,
    ChangePassword,
    DashboardFailurePages,
    EnrolAuthenticator,
    EnrolPasskey,
    SecondFactorChangeRunner,
    RecentSecondFactorGuard,
    InviteCollaborator,
    RecordSecurityChange,
    RecordSignIn,
    CompleteSignIn,
    VerifySecondFactor,
    ResetPassword,
    SignIn,
    RequestSources,
  ],
  exports: [OutgoingMails, SecondFactorVerifier, OneTimeSecretStore],
})
export class PeopleModule {}

@Module({ providers: [MailSending, MailServer, OutgoingMailQueue, PruneExpiredSignInData] })
export class PeopleWorkerModule {}
