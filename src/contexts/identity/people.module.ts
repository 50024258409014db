import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { DashboardSettings } from '#shared/platform/http/dashboard/dashboard-settings.js';
import { PasskeyCeremonies } from './application/people/passkey-ceremonies.js';
import { Passwords } from './application/people/passwords.js';
import { AcceptInvitation } from './application/people/accept-invitation.js';
import { ChangeCollaborator } from './application/people/change-collaborator.js';
import { ChangeFactors } from './application/people/change-factors.js';
import { ChangePassword } from './application/people/change-password.js';
import { OutgoingMails } from './contract/outgoing-mails.js';
import { DashboardLinks } from './domain/people/mails.js';
import { EnrolAuthenticator } from './application/people/enrol-authenticator.js';
import { EnrolPasskey } from './application/people/enrol-passkey.js';
import { SecondFactorChanges } from './application/people/factor-changes.js';
import { InviteCollaborator } from './application/people/invite-collaborator.js';
import { NoteSecurityChange } from './application/people/note-security-change.js';
import { NoteSignIn } from './application/people/note-sign-in.js';
import { PassSecondFactor } from './application/people/pass-second-factor.js';
import { ResetPassword } from './application/people/reset-password.js';
import { ProveSecondFactor } from './application/people/prove-second-factor.js';
import { SignIn } from './application/people/sign-in.js';
import { ShownOnce, SecondFactor } from './contract/dashboard-session.js';
import { AccountsController } from './infrastructure/accounts/dashboard/accounts.controller.js';
import { ApiKeysController } from './infrastructure/credentials/dashboard/api-keys.controller.js';
import { BrandingController } from './infrastructure/branding/dashboard/branding.controller.js';
import { WorkAfterResponse, RequestSources } from './infrastructure/people/dashboard/visits.js';
import { AuditLogController } from './infrastructure/people/dashboard/audit-log.controller.js';
import { DashboardFailurePages } from './infrastructure/people/dashboard/dashboard-failure-pages.js';
import { DashboardGuard } from './infrastructure/people/dashboard/dashboard.guard.js';
import { EnrolmentController } from './infrastructure/people/dashboard/enrolment.controller.js';
import { FreshFactorGuard } from './infrastructure/people/dashboard/fresh-factor.guard.js';
import { InvitationController } from './infrastructure/people/dashboard/invitation.controller.js';
import { OwnAccountController } from './infrastructure/people/dashboard/own-account.controller.js';
import { PasswordResetController } from './infrastructure/people/dashboard/password-reset.controller.js';
import { SecondFactorController } from './infrastructure/people/dashboard/second-factor.controller.js';
import { SignInController } from './infrastructure/people/dashboard/sign-in.controller.js';
import { TeamController } from './infrastructure/people/dashboard/team.controller.js';
import { MailSending } from './infrastructure/people/mail/mail-sending.js';
import { MailServer } from './infrastructure/people/mail/mail-server.js';
import { AuditLogQueries } from './infrastructure/people/persistence/audit-log-queries.js';
import { DashboardSessions } from './infrastructure/people/persistence/dashboard-sessions.js';
import { Invitations } from './infrastructure/people/persistence/invitations.js';
import { KnownDevices } from './infrastructure/people/persistence/known-devices.js';
import { OutgoingMailQueue } from './infrastructure/people/persistence/outgoing-mail-queue.js';
import { PasswordResets } from './infrastructure/people/persistence/password-resets.js';
import {
  AuthenticatorSecretBox,
  ResealAuthenticators,
} from './infrastructure/people/persistence/authenticator-secrets.js';
import { PostgresShownOnce } from './infrastructure/people/persistence/postgres-shown-once.js';
import { SecondFactors } from './infrastructure/people/persistence/second-factors.js';
import { LockOuts } from './infrastructure/people/persistence/lock-outs.js';
import { PrunePeople } from './infrastructure/people/persistence/prune-people.js';

/** Requires `PeopleSettings` and `DashboardSettings` from a global module. */
@Global()
@Module({
  controllers: [
    AccountsController,
    BrandingController,
    ApiKeysController,
    SignInController,
    SecondFactorController,
    EnrolmentController,
    InvitationController,
    PasswordResetController,
    OwnAccountController,
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
    KnownDevices,
    { provide: OutgoingMails, useClass: OutgoingMailQueue },
    {
      provide: PasskeyCeremonies,
      inject: [DashboardSettings],
      useFactory: ({ origin }: DashboardSettings) => new PasskeyCeremonies(origin),
    },
    PasswordResets,
    Passwords,
    { provide: SecondFactor, useExisting: ProveSecondFactor },
    { provide: ShownOnce, useClass: PostgresShownOnce },
    SecondFactors,
    AuthenticatorSecretBox,
    ResealAuthenticators,
    LockOuts,
    { provide: APP_GUARD, useClass: DashboardGuard },
    AcceptInvitation,
    WorkAfterResponse,
    ChangeCollaborator,
    ChangeFactors,
    ChangePassword,
    DashboardFailurePages,
    EnrolAuthenticator,
    EnrolPasskey,
    SecondFactorChanges,
    FreshFactorGuard,
    InviteCollaborator,
    NoteSecurityChange,
    NoteSignIn,
    PassSecondFactor,
    ProveSecondFactor,
    ResetPassword,
    SignIn,
    RequestSources,
  ],
  exports: [OutgoingMails, SecondFactor, ShownOnce],
})
export class PeopleModule {}

@Module({ providers: [MailSending, MailServer, OutgoingMailQueue, PrunePeople] })
export class PeopleWorkerModule {}
