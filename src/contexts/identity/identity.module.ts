import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { AccountNames, AccountDirectory } from './contract/account-directory.js';
import { AccountBranding } from './contract/account-branding.js';
import { ChangeBranding } from './application/change-branding.js';
import { LogoController } from './infrastructure/branding/logo.controller.js';
import { Brandings } from './infrastructure/persistence/brandings.js';
import { PostgresAccountNames, Accounts } from './infrastructure/accounts/persistence/accounts.js';
import { IssueAccessToken } from './application/credentials/issue-access-token.js';
import { ExchangeToken } from './application/credentials/exchange-token.js';
import { ApproveOrganization } from './application/accounts/approve-organization.js';
import { ChangeAccount } from './application/accounts/change-account.js';
import { ChangeCredential } from './application/credentials/change-credential.js';
import { CreateAccount } from './application/accounts/create-account.js';
import { CreateCredential } from './application/credentials/create-credential.js';
import { CreateOrganization } from './application/accounts/create-organization.js';
import { AuthenticateRequest } from './application/credentials/authenticate-request.js';
import { ApiKeyEnvironment } from './domain/credentials/credential.js';
import { DeleteAccount } from './application/accounts/delete-account.js';
import { DeleteCredential } from './application/credentials/delete-credential.js';
import { SetCredentialEnabled } from './application/credentials/set-credential-enabled.js';
import { IssueCredential } from './application/credentials/issue-credential.js';
import { PairDevice } from './application/devices/pair-device.js';
import { PairedDevices } from './application/devices/paired-devices.js';
import { Devices } from './contract/devices.js';
import { PairingController } from './infrastructure/devices/http/pairing.controller.js';
import { Pairings } from './infrastructure/persistence/pairings.js';
import { Collaborators } from './infrastructure/people/persistence/collaborators.js';
import { SetTimeZone } from './application/accounts/set-time-zone.js';
import { AuditLog } from './contract/audit-log.js';
import { AccessGuard } from './infrastructure/credentials/http/access.guard.js';
import { AccessTokenStrategy } from './infrastructure/credentials/http/access-token.strategy.js';
import { AccountController } from './infrastructure/accounts/http/account.controller.js';
import { CredentialRateLimits } from './infrastructure/credentials/http/credential-rate-limits.js';
import { TokenController } from './infrastructure/credentials/http/token.controller.js';
import { IdentitySettings } from './infrastructure/identity-settings.js';
import { PostgresAuditLog } from './infrastructure/persistence/postgres-audit-log.js';
import { CredentialLookup } from './infrastructure/credentials/persistence/credential-lookup.js';
import { Credentials } from './infrastructure/credentials/persistence/credentials.js';
import { AuthenticationAttempts } from './infrastructure/credentials/persistence/authentication-attempts.js';
import { OrganizationApproval } from './contract/organization-approval.js';
import { RequireApproval } from './application/accounts/require-approval.js';
import { Organizations } from './infrastructure/accounts/persistence/organizations.js';
import { TokenKeys } from './infrastructure/credentials/http/token-keys.js';
import {
  auditInvariants,
  deviceInvariants,
  identityInvariants,
} from './infrastructure/persistence/identity-invariants.js';

@Global()
@RegisterInvariants([...identityInvariants, ...auditInvariants, ...deviceInvariants])
@Module({
  controllers: [TokenController, AccountController, LogoController, PairingController],
  providers: [
    Organizations,
    Accounts,
    { provide: AccountDirectory, useExisting: Accounts },
    Brandings,
    { provide: AccountBranding, useExisting: Brandings },
    ChangeBranding,
    Credentials,
    CredentialLookup,
    Collaborators,
    { provide: Devices, useClass: PairedDevices },
    Pairings,
    { provide: OrganizationApproval, useClass: RequireApproval },
    IssueCredential,
    PairDevice,
    AuthenticationAttempts,
    { provide: AuditLog, useClass: PostgresAuditLog },
    {
      provide: IssueAccessToken,
      inject: [IdentitySettings],
      useFactory: (settings: IdentitySettings) => new IssueAccessToken(settings),
    },
    {
      provide: ApiKeyEnvironment,
      inject: [IdentitySettings],
      useFactory: (settings: IdentitySettings) => new ApiKeyEnvironment(settings.environment),
    },
    {
      provide: TokenKeys,
      inject: [IdentitySettings],
      useFactory: (settings: IdentitySettings) => new TokenKeys(settings.tokenKeys),
    },
    { provide: APP_GUARD, useClass: AccessGuard },
    AccessTokenStrategy,
    CredentialRateLimits,
    { provide: AccountNames, useClass: PostgresAccountNames },
    CreateOrganization,
    ApproveOrganization,
    CreateAccount,
    ChangeAccount,
    DeleteAccount,
    CreateCredential,
    ChangeCredential,
    SetCredentialEnabled,
    DeleteCredential,
    ExchangeToken,
    AuthenticateRequest,
    SetTimeZone,
  ],
  exports: [
    AccountBranding,
    AccountDirectory,
    AccountNames,
    Accounts,
    AuditLog,
    Brandings,
    Collaborators,
    Devices,
    OrganizationApproval,
    Pairings,
    ChangeAccount,
    ChangeBranding,
    ChangeCredential,
    CreateAccount,
    CreateCredential,
    Credentials,
    DeleteAccount,
    DeleteCredential,
    SetCredentialEnabled,
    Organizations,
    SetTimeZone,
  ],
})
export class IdentityModule {}
