import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccountNames } from './contract/account-names.js';
import { PostgresAccountNames } from './infrastructure/persistence/postgres-account-names.js';
import { AccessTokens, ExchangeToken } from './application/exchange-token.js';
import { Accounts } from './domain/account.js';
import { ApproveOrganization } from './application/approve-organization.js';
import { ChangeAccount } from './application/change-account.js';
import { ChangeCredential } from './application/change-credential.js';
import { CreateAccount } from './application/create-account.js';
import { CreateCredential } from './application/create-credential.js';
import { CreateOrganization } from './application/create-organization.js';
import { ExchangeAttempts } from './application/exchange-attempts.js';
import { CredentialProofs } from './application/credential-proofs.js';
import { Credentials } from './application/credentials.js';
import { DeleteAccount } from './application/delete-account.js';
import { DeleteCredential } from './application/delete-credential.js';
import { EnableCredential } from './application/enable-credential.js';
import { KeyEnvironment } from './domain/key-id.js';
import { Organizations } from './domain/organization.js';
import { ReadAccount } from './application/read-account.js';
import { ProveAccess } from './application/prove-access.js';
import { AccountDirectory } from './contract/account-directory.js';
import { AuditLog } from './contract/audit-log.js';
import { AccessGuard } from './infrastructure/http/access.guard.js';
import { AccessTokenStrategy } from './infrastructure/http/access-token.strategy.js';
import { AccountController } from './infrastructure/http/account.controller.js';
import { CredentialRates } from './infrastructure/http/credential-rates.js';
import { TokenController } from './infrastructure/http/token.controller.js';
import { TokenExchangeGate } from './infrastructure/http/token-exchange-gate.js';
import { IdentitySettings } from './infrastructure/identity-settings.js';
import { PostgresAccounts } from './infrastructure/persistence/postgres-accounts.js';
import { PostgresAuditLog } from './infrastructure/persistence/postgres-audit-log.js';
import { PostgresCredentialProofs } from './infrastructure/persistence/postgres-credential-proofs.js';
import { PostgresCredentials } from './infrastructure/persistence/postgres-credentials.js';
import { PostgresExchangeAttempts } from './infrastructure/persistence/postgres-exchange-attempts.js';
import { PostgresOrganizations } from './infrastructure/persistence/postgres-organizations.js';
import { JoseAccessTokens } from './infrastructure/tokens/jose-access-tokens.js';
import { TokenKeys } from './infrastructure/tokens/token-keys.js';
import { auditInvariants } from './infrastructure/persistence/audit-invariants.js';
import { identityInvariants } from './infrastructure/persistence/identity-invariants.js';
import { Invariants } from '#shared/platform/invariants/registered-invariants.js';

/** Importing it protects every route of the application. Wants `IdentitySettings` and `AccountBusiness` of global modules. */
@Global()
@Invariants([...identityInvariants, ...auditInvariants])
@Module({
  controllers: [TokenController, AccountController],
  providers: [
    { provide: Organizations, useClass: PostgresOrganizations },
    { provide: Accounts, useClass: PostgresAccounts },
    { provide: AccountDirectory, useExisting: Accounts },
    { provide: Credentials, useClass: PostgresCredentials },
    { provide: CredentialProofs, useClass: PostgresCredentialProofs },
    { provide: ExchangeAttempts, useClass: PostgresExchangeAttempts },
    { provide: AuditLog, useClass: PostgresAuditLog },
    { provide: AccessTokens, useClass: JoseAccessTokens },
    {
      provide: KeyEnvironment,
      inject: [IdentitySettings],
      useFactory: (settings: IdentitySettings) => new KeyEnvironment(settings.environment),
    },
    {
      provide: TokenKeys,
      inject: [IdentitySettings],
      useFactory: (settings: IdentitySettings) => new TokenKeys(settings.tokenKeys),
    },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useExisting: TokenExchangeGate },
    AccessTokenStrategy,
    CredentialRates,
    TokenExchangeGate,
    { provide: AccountNames, useClass: PostgresAccountNames },
    CreateOrganization,
    ApproveOrganization,
    CreateAccount,
    ReadAccount,
    ChangeAccount,
    DeleteAccount,
    CreateCredential,
    ChangeCredential,
    EnableCredential,
    DeleteCredential,
    ExchangeToken,
    ProveAccess,
  ],
  exports: [
    AccountDirectory,
    AccountNames,
    Accounts,
    AuditLog,
    ChangeAccount,
    ChangeCredential,
    CreateAccount,
    CreateCredential,
    Credentials,
    DeleteAccount,
    DeleteCredential,
    EnableCredential,
    Organizations,
    ReadAccount,
  ],
})
export class IdentityModule {}
