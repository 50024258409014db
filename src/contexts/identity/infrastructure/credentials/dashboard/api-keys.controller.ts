import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { AccountId, CredentialId } from '#shared/kernel/ids.js';
import {
  seeOther,
  setSessionCookie,
  showPage,
  SecretPageToken,
  redirectToSecretPage,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardPageQuery, CompletedActionQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import {
  auditActorOf,
  handleFormSubmission,
  requireChosenId,
  requireTypedName,
  splitEntries,
  FormBody,
} from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import type { FormActionOutcome, SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { ChangeCredential } from '#contexts/identity/application/credentials/change-credential.js';
import { CreateCredential } from '#contexts/identity/application/credentials/create-credential.js';
import { Credentials } from '../persistence/credentials.js';
import type { Credential } from '#contexts/identity/domain/credentials/credential.js';
import { DeleteCredential } from '#contexts/identity/application/credentials/delete-credential.js';
import { SetCredentialEnabled } from '#contexts/identity/application/credentials/set-credential-enabled.js';
import { OneTimeSecretStore, SecondFactorVerifier } from '#contexts/identity/contract/dashboard-session.js';
import { AccountNames } from '#contexts/identity/contract/account-directory.js';
import { allowsIpAddress, readIpAllowlist } from '#contexts/identity/domain/credentials/allowed-ip-ranges.js';
import { ALLOWED_IPS_FIELDS, apiKeyPage, DELETE_KEY_FIELDS } from './api-key-page.js';
import { apiKeysPage } from './api-keys-page.js';
import {
  API_KEY_FIELDS,
  NEW_API_KEY_FIELDS,
  newApiKeyPage,
  newApiKeySecretPage,
  checkedRolesIn,
} from './new-api-key-page.js';

const PAGE_SIZE = 15;
const KeyIdParam = () => Param('id', new UuidParam('credential'));
const EndKeyAct = () =>
  DashboardActionRoute('disable or delete an API key', 'manage_keys', 'none', 'removes access only');

@Controller('app/api-keys')
export class ApiKeysController {
  constructor(
    private readonly credentials: Credentials,
    private readonly accounts: AccountNames,
    private readonly createCredential: CreateCredential,
    private readonly changeCredential: ChangeCredential,
    private readonly setCredentialEnabled: SetCredentialEnabled,
    private readonly deleteCredential: DeleteCredential,
    private readonly secondFactor: SecondFactorVerifier,
    private readonly oneTimeSecretStore: OneTimeSecretStore,
  ) {}

  @DashboardRoute('manage_keys')
  @Get()
  async list(@Query() { page }: DashboardPageQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    const paging = { page, pageSize: PAGE_SIZE };
    const found = await this.credentials.list(visitor.organizationId, paging);
    const names = await this.accountNamesOf(visitor, found.items);
    return showPage(apiKeysPage({ visitor, names, ...paging, ...found }));
  }

  @DashboardRoute('manage_keys')
  @Get('new')
  async showCreateForm(@CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(await this.renderCreatePage(visitor));
  }

  @DashboardActionRoute('create an API key', 'manage_keys', 'each_time', 'displays a secret')
  @Post()
  create(
    @FormBody(NEW_API_KEY_FIELDS) form: SubmittedForm<typeof NEW_API_KEY_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { collaboratorId, sessionId, organizationId } = visitor;
    const { name = '', account_id, allowed_ips, code = '' } = form.typed;
    const again = (sent: SubmittedForm) => this.renderCreatePage(visitor, sent);
    return handleFormSubmission(form, again, async () => {
      const newCredential = {
        organizationId,
        ...(account_id
          ? { accountId: requireChosenId<AccountId>('account_id', account_id, 'the accounts') }
          : {}),
        name,
        roles: checkedRolesIn(form.typed),
        allowedAddresses: splitEntries(allowed_ips),
        ...auditActorOf(visitor),
      };
      // A code works only once, so an invalid form must not use it up.
      this.createCredential.validate(newCredential);
      const { sessionToken } = await this.secondFactor.verify({ collaboratorId, sessionId, code });
      setSessionCookie(response, sessionToken);
      const { credential, secret } = await this.createCredential.create(newCredential);
      const page = `/app/api-keys/${credential.id}/secret`;
      return redirectToSecretPage(
        page,
        await this.oneTimeSecretStore.storeSecret(sessionId, page, secret),
        response,
      );
    });
  }

  @DashboardRoute('manage_keys')
  @Get(':id')
  async show(
    @KeyIdParam() id: CredentialId,
    @Query() { done }: CompletedActionQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return showPage(await this.page(visitor, id, { done }));
  }

  @DashboardRoute('manage_keys')
  @Get(':id/secret')
  async showSecret(
    @KeyIdParam() id: CredentialId,
    @SecretPageToken() token: string | undefined,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const credential = await this.credentials.read(visitor.organizationId, id);
    const secret = await this.oneTimeSecretStore.consumeSecret(
      visitor.sessionId,
      `/app/api-keys/${id}/secret`,
      token,
    );
    if (secret === null) return seeOther(`/app/api-keys/${id}?done=shown`);
    return showPage(newApiKeySecretPage(visitor, credential, secret));
  }

  @DashboardActionRoute('change an API key', 'manage_keys', 'fresh', 'can add roles')
  @Post(':id')
  change(
    @KeyIdParam() id: CredentialId,
    @FormBody(API_KEY_FIELDS) form: SubmittedForm<typeof API_KEY_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const again = (sent: SubmittedForm) => this.page(visitor, id, { sent });
    return handleFormSubmission(form, again, async () => {
      const changed = { name: form.typed.name ?? '', roles: checkedRolesIn(form.typed) };
      await this.changeCredential.change({ ...credentialReference(visitor, id), ...changed });
      return seeOther(`/app/api-keys/${id}?done=changed`);
    });
  }

  @DashboardActionRoute('change a key’s addresses', 'manage_keys', 'fresh', 'can allow other addresses')
  @Post(':id/allowed-ips')
  changeAllowedIps(
    @KeyIdParam() id: CredentialId,
    @FormBody(ALLOWED_IPS_FIELDS) form: SubmittedForm<typeof ALLOWED_IPS_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { allowed_ips, without_own } = form.typed;
    const again = (sent: SubmittedForm) => this.page(visitor, id, { sent });
    return handleFormSubmission(form, again, async () => {
      const allowedAddresses = splitEntries(allowed_ips);
      if (without_own !== 'on') requireOwnAddressAllowed(allowedAddresses, visitor.address);
      await this.changeCredential.change({ ...credentialReference(visitor, id), allowedAddresses });
      return seeOther(`/app/api-keys/${id}?done=changed`);
    });
  }

  @DashboardActionRoute('enable an API key', 'manage_keys', 'fresh', 'restores access')
  @Post(':id/enable')
  enable(@KeyIdParam() id: CredentialId, @CurrentDashboardUser() visitor: DashboardUser) {
    return this.setEnabled(id, visitor, true);
  }

  @EndKeyAct()
  @Post(':id/disable')
  disable(@KeyIdParam() id: CredentialId, @CurrentDashboardUser() visitor: DashboardUser) {
    return this.setEnabled(id, visitor, false);
  }

  @EndKeyAct()
  @Post(':id/delete')
  delete(
    @KeyIdParam() id: CredentialId,
    @FormBody(DELETE_KEY_FIELDS) form: SubmittedForm<typeof DELETE_KEY_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const again = (sent: SubmittedForm) => this.page(visitor, id, { sent });
    return handleFormSubmission(form, again, async () => {
      const { name } = await this.credentials.read(visitor.organizationId, id);
      requireTypedName(form.typed, name, 'key');
      await this.deleteCredential.delete(credentialReference(visitor, id));
      return seeOther('/app/api-keys');
    });
  }

  private async setEnabled(id: CredentialId, visitor: DashboardUser, enabled: boolean) {
    await this.setCredentialEnabled.set({ ...credentialReference(visitor, id), enabled });
    return seeOther(`/app/api-keys/${id}?done=${enabled ? 'enabled' : 'disabled'}`);
  }

  private async page(visitor: DashboardUser, id: CredentialId, outcome: FormActionOutcome) {
    const credential = await this.credentials.read(visitor.organizationId, id);
    const names = await this.accountNamesOf(visitor, [credential]);
    return apiKeyPage({ visitor, credential, names, ...outcome });
  }

  private accountNamesOf({ organizationId }: DashboardUser, keys: readonly Credential[]) {
    return this.accounts.namesOf(
      organizationId,
      keys.flatMap(({ accountId }) => accountId ?? []),
    );
  }

  private async renderCreatePage(visitor: DashboardUser, sent?: SubmittedForm) {
    const typed = sent?.typed['account_id'];
    const accounts = await this.accounts.searchChoices(visitor.organizationId, { typed });
    return newApiKeyPage({ visitor, accounts, sent });
  }
}

/** Asks for confirmation if the list excludes the person's own address. */
function requireOwnAddressAllowed(addresses: readonly string[], own: string): void {
  const ranges = readIpAllowlist(addresses);
  if (allowsIpAddress(ranges, own)) return;
  throw new DomainError(
    'invalid',
    'validation_failed',
    `This list does not include ${own}, your current address: the key will not work from here. Tick the box to confirm.`,
  );
}

function credentialReference(visitor: DashboardUser, credentialId: CredentialId) {
  return { organizationId: visitor.organizationId, credentialId, ...auditActorOf(visitor) };
}
