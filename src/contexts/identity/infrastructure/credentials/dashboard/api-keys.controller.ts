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
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import {
  auditActorOf,
  answerForm,
  requireChosenId,
  requireConfirmation,
  splitEntries,
  FormBody,
} from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import type { ActOutcome, SentForm } from '#shared/web/dashboard/form-fields.js';
import { ChangeCredential } from '#contexts/identity/application/credentials/change-credential.js';
import { CreateCredential } from '#contexts/identity/application/credentials/create-credential.js';
import { Credentials } from '../persistence/credentials.js';
import type { Credential } from '#contexts/identity/domain/credentials/credential.js';
import { DeleteCredential } from '#contexts/identity/application/credentials/delete-credential.js';
import { SetCredentialEnabled } from '#contexts/identity/application/credentials/set-credential-enabled.js';
import { ShownOnce, SecondFactor } from '#contexts/identity/contract/dashboard-session.js';
import { AccountNames } from '#contexts/identity/contract/account-directory.js';
import { allowsAddress, readAllowlist } from '#contexts/identity/domain/credentials/allowed-ip-ranges.js';
import { ALLOWED_IPS_FIELDS, apiKeyPage, DELETE_KEY_FIELDS } from './api-key-page.js';
import { apiKeysPage } from './api-keys-page.js';
import {
  API_KEY_FIELDS,
  NEW_API_KEY_FIELDS,
  newApiKeyPage,
  newSecretPage,
  checkedRolesIn,
} from './new-api-key-page.js';

const PAGE_SIZE = 15;
const KeyIdParam = () => Param('id', new UuidParam('credential'));
const EndKeyAct = () =>
  DashboardAct('disable or delete an API key', 'manage_keys', 'none', 'removes access only');

@Controller('app/api-keys')
export class ApiKeysController {
  constructor(
    private readonly credentials: Credentials,
    private readonly accounts: AccountNames,
    private readonly createCredential: CreateCredential,
    private readonly changeCredential: ChangeCredential,
    private readonly setCredentialEnabled: SetCredentialEnabled,
    private readonly deleteCredential: DeleteCredential,
    private readonly secondFactor: SecondFactor,
    private readonly shownOnce: ShownOnce,
  ) {}

  @DashboardRoute('manage_keys')
  @Get()
  async list(@Query() { page }: DashboardPageQuery, @CurrentVisitor() visitor: DashboardVisitor) {
    const paging = { page, pageSize: PAGE_SIZE };
    const found = await this.credentials.list(visitor.organizationId, paging);
    const names = await this.accountNamesOf(visitor, found.items);
    return showPage(apiKeysPage({ visitor, names, ...paging, ...found }));
  }

  @DashboardRoute('manage_keys')
  @Get('new')
  async showCreateForm(@CurrentVisitor() visitor: DashboardVisitor) {
    return showPage(await this.renderCreatePage(visitor));
  }

  @DashboardAct('create an API key', 'manage_keys', 'each_time', 'displays a secret')
  @Post()
  create(
    @FormBody(NEW_API_KEY_FIELDS) form: SentForm<typeof NEW_API_KEY_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { collaboratorId, sessionId, organizationId } = visitor;
    const { name = '', account_id, allowed_ips, code = '' } = form.typed;
    const again = (sent: SentForm) => this.renderCreatePage(visitor, sent);
    return answerForm(form, again, async () => {
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
      return redirectToSecretPage(page, await this.shownOnce.storeSecret(sessionId, page, secret), response);
    });
  }

  @DashboardRoute('manage_keys')
  @Get(':id')
  async show(
    @KeyIdParam() id: CredentialId,
    @Query() { done }: CompletedActionQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    return showPage(await this.page(visitor, id, { done }));
  }

  @DashboardRoute('manage_keys')
  @Get(':id/secret')
  async showSecret(
    @KeyIdParam() id: CredentialId,
    @SecretPageToken() token: string | undefined,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const credential = await this.credentials.read(visitor.organizationId, id);
    const secret = await this.shownOnce.takeSecret(visitor.sessionId, `/app/api-keys/${id}/secret`, token);
    if (secret === null) return seeOther(`/app/api-keys/${id}?done=shown`);
    return showPage(newSecretPage(visitor, credential, secret));
  }

  @DashboardAct('change an API key', 'manage_keys', 'fresh', 'can add roles')
  @Post(':id')
  change(
    @KeyIdParam() id: CredentialId,
    @FormBody(API_KEY_FIELDS) form: SentForm<typeof API_KEY_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const again = (sent: SentForm) => this.page(visitor, id, { sent });
    return answerForm(form, again, async () => {
      const changed = { name: form.typed.name ?? '', roles: checkedRolesIn(form.typed) };
      await this.changeCredential.change({ ...credentialReference(visitor, id), ...changed });
      return seeOther(`/app/api-keys/${id}?done=changed`);
    });
  }

  @DashboardAct('change a key’s addresses', 'manage_keys', 'fresh', 'can allow other addresses')
  @Post(':id/allowed-ips')
  changeAllowedIps(
    @KeyIdParam() id: CredentialId,
    @FormBody(ALLOWED_IPS_FIELDS) form: SentForm<typeof ALLOWED_IPS_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const { allowed_ips, without_own } = form.typed;
    const again = (sent: SentForm) => this.page(visitor, id, { sent });
    return answerForm(form, again, async () => {
      const allowedAddresses = splitEntries(allowed_ips);
      if (without_own !== 'on') requireOwnAddressAllowed(allowedAddresses, visitor.address);
      await this.changeCredential.change({ ...credentialReference(visitor, id), allowedAddresses });
      return seeOther(`/app/api-keys/${id}?done=changed`);
    });
  }

  @DashboardAct('enable an API key', 'manage_keys', 'fresh', 'restores access')
  @Post(':id/enable')
  enable(@KeyIdParam() id: CredentialId, @CurrentVisitor() visitor: DashboardVisitor) {
    return this.setEnabled(id, visitor, true);
  }

  @EndKeyAct()
  @Post(':id/disable')
  disable(@KeyIdParam() id: CredentialId, @CurrentVisitor() visitor: DashboardVisitor) {
    return this.setEnabled(id, visitor, false);
  }

  @EndKeyAct()
  @Post(':id/delete')
  delete(
    @KeyIdParam() id: CredentialId,
    @FormBody(DELETE_KEY_FIELDS) form: SentForm<typeof DELETE_KEY_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const again = (sent: SentForm) => this.page(visitor, id, { sent });
    return answerForm(form, again, async () => {
      const { name } = await this.credentials.read(visitor.organizationId, id);
      requireConfirmation(form.typed, name, 'key');
      await this.deleteCredential.delete(credentialReference(visitor, id));
      return seeOther('/app/api-keys');
    });
  }

  private async setEnabled(id: CredentialId, visitor: DashboardVisitor, enabled: boolean) {
    await this.setCredentialEnabled.set({ ...credentialReference(visitor, id), enabled });
    return seeOther(`/app/api-keys/${id}?done=${enabled ? 'enabled' : 'disabled'}`);
  }

  private async page(visitor: DashboardVisitor, id: CredentialId, outcome: ActOutcome) {
    const credential = await this.credentials.read(visitor.organizationId, id);
    const names = await this.accountNamesOf(visitor, [credential]);
    return apiKeyPage({ visitor, credential, names, ...outcome });
  }

  private accountNamesOf({ organizationId }: DashboardVisitor, keys: readonly Credential[]) {
    return this.accounts.namesOf(
      organizationId,
      keys.flatMap(({ accountId }) => accountId ?? []),
    );
  }

  private async renderCreatePage(visitor: DashboardVisitor, sent?: SentForm) {
    const typed = sent?.typed['account_id'];
    const accounts = await this.accounts.searchChoices(visitor.organizationId, { typed });
    return newApiKeyPage({ visitor, accounts, sent });
  }
}

/** Asks for confirmation if the list excludes the person's own address. */
function requireOwnAddressAllowed(addresses: readonly string[], own: string): void {
  const ranges = readAllowlist(addresses);
  if (allowsAddress(ranges, own)) return;
  throw new DomainError(
    'invalid',
    'validation_failed',
    `This list does not include ${own}, your current address: the key will not work from here. Tick the box to confirm.`,
  );
}

function credentialReference(visitor: DashboardVisitor, credentialId: CredentialId) {
  return { organizationId: visitor.organizationId, credentialId, ...auditActorOf(visitor) };
}
