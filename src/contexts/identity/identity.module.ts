import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { AccountNames, AccountDirectory } from './contract/account-directory.js';
import { AccountBranding } from './contract/account-branding.js';
import { ChangeBranding } from './application/change-branding.js';
import { LogoController } from './infrastructure/branding/logo.controller.js';
import { Brandings } from './infrastructure/persistence/brandings.js';
import {
  PostgresAccountNames,
  MerchantAccounts,
} from './infrastructure/accounts/persistence/merchant-accounts.js';
import { IssueAccessToken } from './application/credentials/issue-access-token.js';
import { ExchangeApiKeyForToken } from './application/credentials/exchange-api-key-for-token.js';
import { ApproveOrganization } from './application/accounts/approve-organization.js';
import { ChangeMerchantAccount } from './application/accounts/change-merchant-account.js';
import { ChangeCredential } from './application/credentials/change-credential.js';
import { CreateMerchantAccount } from './application/accounts/create-merchant-account.js';
import { CreateCredential } from './application/credentials/create-credential.js';
import { CreateOrganization } from './application/accounts/create-organization.js';
import { AuthenticateRequest } from './application/credentials/authenticate-request.js';
import { ApiKeyEnvironment } from './domain/credentials/credential.js';
import { DeleteMerchantAccount } from './application/accounts/delete-merchant-account.js';
import { DeleteCredential } from './application/credentials/delete-credential.js';
import { SetCredentialEnabled } from './application/credentials/set-credential-enabled.js';
import { IssueCredential } from './application/credentials/issue-credential.js';
import { PairDevice } from './application/devices/pair-device.js';
import { PairedDevices } from './application/devices/paired-devices.js';
import { PointOfSaleDevices } from './contract/point-of-sale-devices.js';
import { PairingController } from './infrastructure/devices/http/pairing.controller.js';
import { Pairings } from './infrastructure/persistence/pairings.js';
import { Collaborators } from './infrastructure/people/persistence/collaborators.js';
import { SetOrganizationTimeZone } from './application/accounts/set-organization-time-zone.js';
import { AuditLog } from './contract/audit-log.js';
import { AccessGuard } from './infrastructure/credentials/http/access.guard.js';
import { AccessTokenStrategy } from './infrastructure/credentials/http/access-token.strategy.js';
import { AccountController } from './infrastructure/accounts/http/account.controller.js';
import { OrganizationController } from './infrastructure/accounts/http/organization.controller.js';
import { CredentialRateLimits } from './infrastructure/credentials/http/credential-rate-limits.js';
import { AccessTokenController } from './infrastructure/credentials/http/access-token.controller.js';
import { IdentitySettings } from './infrastructure/identity-settings.js';
import { PostgresAuditLog } from './infrastructure/persistence/postgres-audit-log.js';
import { CredentialLookup } from './infrastructure/credentials/persistence/credential-lookup.js';
import { Credentials } from './infrastructure/credentials/persistence/credentials.js';
import { AuthenticationAttempts } from './infrastructure/credentials/persistence/authentication-attempts.js';
import { OrganizationApproval } from './contract/organization-approval.js';
import { RequireApprovedOrganization } from './application/accounts/require-approved-organization.js';
import { Organizations } from './infrastructure/accounts/persistence/organizations.js';
import { AccessTokenVerificationKeys } from './infrastructure/credentials/http/access-token-verification-keys.js';
import {
  auditInvariants,
  deviceInvariants,
  identityInvariants,
} from './infrastructure/persistence/identity-invariants.js';

@Global()
@RegisterInvariants([...identityInvariants, ...auditInvariants, ...deviceInvariants])
@Module({
  controllers: [
    AccessTokenController,
    AccountController,
    LogoController,
    OrganizationController,
    PairingController,
  ],
  providers: [
    Organizations,
    MerchantAccounts,
    { provide: AccountDirectory, useExisting: MerchantAccounts },
    Brandings,
    { provide: AccountBranding, useExisting: Brandings },
    ChangeBranding,
    Credentials,
    CredentialLookup,
    Collaborators,
    { provide: PointOfSaleDevices, useClass: PairedDevices },
    Pairings,
    { provide: OrganizationApproval, useClass: RequireApprovedOrganization },
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
      useFactory: (settings: IdentitySettings) =>
        new ApiKeyEnvironment(settings.environment, settings.apiKeys.prefixes),
    },
    {
      provide: AccessTokenVerificationKeys,
      inject: [IdentitySettings],
      useFactory: (settings: IdentitySettings) => new AccessTokenVerificationKeys(settings.tokenKeys),
    },
    { provide: APP_GUARD, useClass: AccessGuard },
    AccessTokenStrategy,
    CredentialRateLimits,
    { provide: AccountNames, useClass: PostgresAccountNames },
    CreateOrganization,
    ApproveOrganization,
    CreateMerchantAccount,
    ChangeMerchantAccount,
    DeleteMerchantAccount,
    CreateCredential,
    ChangeCredential,
    SetCredentialEnabled,
    DeleteCredential,
    ExchangeApiKeyForToken,
    AuthenticateRequest,
    SetOrganizationTimeZone,
  ],
  exports: [
    AccountBranding,
    AccountDirectory,
    AccountNames,
    MerchantAccounts,
    AuditLog,
    Brandings,
    Collaborators,
    PointOfSaleDevices,
    OrganizationApproval,
    Pairings,
    ChangeMerchantAccount,
    ChangeBranding,
    ChangeCredential,
    CreateMerchantAccount,
    CreateCredential,
    Credentials,
    DeleteMerchantAccount,
    DeleteCredential,
    SetCredentialEnabled,
    Organizations,
    SetOrganizationTimeZone,
  ],
})
export class IdentityModule {}
