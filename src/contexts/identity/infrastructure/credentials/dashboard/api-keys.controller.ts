import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { invalidField, stateConflict } from '#shared/kernel/domain-error.js';
import { isUuid, type AccountId, type CredentialId } from '#shared/kernel/ids.js';
import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-page.query.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { setSessionCookie } from '#shared/platform/http/dashboard/session-cookie.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { ChangeCredential } from '#contexts/identity/application/credentials/change-credential.js';
import { CreateCredential } from '#contexts/identity/application/credentials/create-credential.js';
import { Credentials } from '#contexts/identity/domain/credentials/credential.js';
import { DeleteCredential } from '#contexts/identity/application/credentials/delete-credential.js';
import { EnableCredential } from '#contexts/identity/application/credentials/enable-credential.js';
import { SecondFactor } from '#contexts/identity/contract/second-factor.js';
import { Accounts } from '#contexts/identity/domain/accounts/account.js';
import { allowsAddress, readAllowlist } from '#contexts/identity/domain/credentials/allowed-ip-ranges.js';
import {
  addressesOf,
  AllowedIpsForm,
  ChangeKeyForm,
  CreateKeyForm,
  DeleteKeyForm,
  KeyQuery,
  rolesOf,
} from './api-key.form.js';
import { apiKeyPage, type ApiKeyProps } from './pages/api-key-page.js';
import { apiKeysPage } from './pages/api-keys-page.js';
import { newApiKeyPage, newSecretPage, type NewApiKeyProps } from './pages/new-api-key-page.js';

const PAGE_SIZE = 50;
const MAX_ACCOUNTS = 100;
const KeyId = () => Param('id', new UuidParam('credential'));

/** API credentials, for Owners and Admins alone. A change acts on the key's very next request. */
@Controller('app/api-keys')
export class ApiKeysController {
  constructor(
    private readonly credentials: Credentials,
    private readonly accounts: Accounts,
    private readonly createCredential: CreateCredential,
    private readonly changeCredential: ChangeCredential,
    private readonly enableCredential: EnableCredential,
    private readonly deleteCredential: DeleteCredential,
    private readonly secondFactor: SecondFactor,
  ) {}

  @DashboardRoute('manage_keys')
  @Get()
  async list(
    @Query() { page }: DashboardPageQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const paging = { page, pageSize: PAGE_SIZE };
    const found = await this.credentials.list(visitor.organizationId, paging);
    sendDashboardPage(response, apiKeysPage({ visitor, ...paging, ...found }));
  }

  @DashboardRoute('manage_keys')
  @Get('new')
  async askForNew(@CurrentVisitor() visitor: DashboardVisitor, @Res() response: Response): Promise<void> {
    await this.sendNew(visitor, response, { typed: { read: 'on', write: 'on' } });
  }

  /** The secret is in this answer and in no other one. */
  @DashboardAct('create_key')
  @Post()
  async create(
    @Body() form: CreateKeyForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const { collaboratorId, sessionId, organizationId } = visitor;
    const { code = '', ...typed } = form;
    const refusal = await refusalOf(async () => {
      const newCredential = {
        organizationId,
        ...scopeOf(form),
        name: form.name ?? '',
        roles: rolesOf(form),
        allowedAddresses: addressesOf(form.allowed_ips),
        ...by(visitor),
      };
      // A code works once: what is refused anyway must not use it up.
      this.createCredential.validate(newCredential);
      const { sessionToken } = await this.secondFactor.demand({ collaboratorId, sessionId, code });
      setSessionCookie(response, sessionToken);
      const made = await this.createCredential.execute(newCredential);
      sendDashboardPage(response, newSecretPage(visitor, made.credential, made.secret));
    });
    if (refusal !== undefined) await this.sendNew(visitor, response, { typed, refusal }, refusal.status);
  }

  @DashboardRoute('manage_keys')
  @Get(':id')
  async show(
    @KeyId() id: CredentialId,
    @Query() { done }: KeyQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(visitor, id, response, { done });
  }

  @DashboardAct('change_key')
  @Post(':id')
  async change(
    @KeyId() id: CredentialId,
    @Body() form: ChangeKeyForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => {
      const changed = { name: form.name ?? '', roles: rolesOf(form) };
      await this.changeCredential.execute({ ...reference(visitor, id), ...changed });
    });
    await this.answer(visitor, id, response, { done: 'changed', refused: 'key', refusal, typed: form });
  }

  @DashboardAct('change_key_addresses')
  @Post(':id/allowed-ips')
  async changeAllowedIps(
    @KeyId() id: CredentialId,
    @Body() form: AllowedIpsForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => {
      const allowedAddresses = addressesOf(form.allowed_ips);
      if (form.without_own !== 'on') demandOwnAddress(allowedAddresses, visitor.address);
      await this.changeCredential.execute({ ...reference(visitor, id), allowedAddresses });
    });
    await this.answer(visitor, id, response, {
      done: 'changed',
      refused: 'allowed_ips',
      refusal,
      typed: form,
    });
  }

  @DashboardAct('enable_key')
  @Post(':id/enable')
  enable(@KeyId() id: CredentialId, @CurrentVisitor() visitor: DashboardVisitor, @Res() response: Response) {
    return this.switch(id, visitor, response, true);
  }

  @DashboardAct('end_key')
  @Post(':id/disable')
  disable(@KeyId() id: CredentialId, @CurrentVisitor() visitor: DashboardVisitor, @Res() response: Response) {
    return this.switch(id, visitor, response, false);
  }

  @DashboardAct('end_key')
  @Post(':id/delete')
  async delete(
    @KeyId() id: CredentialId,
    @Body() { confirmation = '' }: DeleteKeyForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => {
      const { name } = await this.credentials.read(visitor.organizationId, id);
      if (confirmation.trim() !== name)
        throw invalidField('confirmation', 'confirmation', `must be the name of the key: ${name}`);
      await this.deleteCredential.execute(reference(visitor, id));
    });
    if (refusal === undefined) response.redirect(303, '/app/api-keys');
    else await this.answer(visitor, id, response, { done: '', refused: 'delete', refusal });
  }

  private async switch(
    id: CredentialId,
    visitor: DashboardVisitor,
    response: Response,
    enabled: boolean,
  ): Promise<void> {
    await this.enableCredential.execute({ ...reference(visitor, id), enabled });
    response.redirect(303, `/app/api-keys/${id}?done=${enabled ? 'enabled' : 'disabled'}`);
  }

  private async answer(
    visitor: DashboardVisitor,
    id: CredentialId,
    response: Response,
    { done, ...shown }: Pick<ApiKeyProps, 'refused' | 'refusal' | 'typed'> & { done: string },
  ): Promise<void> {
    if (shown.refusal === undefined) response.redirect(303, `/app/api-keys/${id}?done=${done}`);
    else await this.send(visitor, id, response, shown, 400);
  }

  private async send(
    visitor: DashboardVisitor,
    id: CredentialId,
    response: Response,
    shown: Pick<ApiKeyProps, 'refused' | 'refusal' | 'typed' | 'done'>,
    status = 200,
  ): Promise<void> {
    const credential = await this.credentials.read(visitor.organizationId, id);
    sendDashboardPage(response, apiKeyPage({ visitor, credential, ...shown }), status);
  }

  private async sendNew(
    visitor: DashboardVisitor,
    response: Response,
    shown: Pick<NewApiKeyProps, 'typed' | 'refusal'>,
    status = 200,
  ): Promise<void> {
    const { items: accounts } = await this.accounts.list(visitor.scope, { page: 1, pageSize: MAX_ACCOUNTS });
    sendDashboardPage(response, newApiKeyPage({ visitor, accounts, ...shown }), status);
  }
}

/** @throws DomainError on `account_id` */
function scopeOf({ account_id: id }: CreateKeyForm): { accountId?: AccountId } {
  if (id === undefined || id === '') return {};
  if (!isUuid(id)) throw invalidField('account_id', 'account', 'must be one of the accounts.');
  return { accountId: id as AccountId };
}

/** A list without the person's own address is accepted only where they confirm it. @throws state_conflict */
function demandOwnAddress(addresses: readonly string[], own: string): void {
  const ranges = readAllowlist(addresses);
  if (allowsAddress(ranges, own)) return;
  throw stateConflict(
    `This list does not hold ${own}, where you are now: calls of the key from here will be refused. Tick the box if that is meant.`,
  );
}

function reference(visitor: DashboardVisitor, credentialId: CredentialId) {
  return { organizationId: visitor.organizationId, credentialId, ...by(visitor) };
}

function by({ email, address }: DashboardVisitor) {
  return { actor: email, address };
}
