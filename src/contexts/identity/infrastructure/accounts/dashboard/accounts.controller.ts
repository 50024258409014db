import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { AccountId } from '#shared/kernel/ids.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { ChangeAccount } from '#contexts/identity/application/accounts/change-account.js';
import { CreateAccount } from '#contexts/identity/application/accounts/create-account.js';
import { DeleteAccount } from '#contexts/identity/application/accounts/delete-account.js';
import { Accounts } from '#contexts/identity/domain/accounts/account.js';
import { AccountForm, AccountQuery, AccountsQuery, DeleteAccountForm, fieldsOf } from './account.form.js';
import { accountPage, type AccountProps } from './pages/account-page.js';
import { accountsPage } from './pages/accounts-page.js';
import { newAccountPage } from './pages/new-account-page.js';

const PAGE_SIZE = 50;
const AccountParam = () => Param('id', new UuidParam('account'));

@Controller('app/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: Accounts,
    private readonly createAccount: CreateAccount,
    private readonly changeAccount: ChangeAccount,
    private readonly deleteAccount: DeleteAccount,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(
    @Query() { page, done }: AccountsQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const paging = { page, pageSize: PAGE_SIZE };
    const found = await this.accounts.list(visitor.scope, paging);
    sendDashboardPage(response, accountsPage({ visitor, done, ...paging, ...found }));
  }

  @DashboardRoute('manage')
  @Get('new')
  askForNew(@CurrentVisitor() visitor: DashboardVisitor, @Res() response: Response): void {
    sendDashboardPage(response, newAccountPage({ visitor, typed: {} }));
  }

  @DashboardAct('change_accounts')
  @Post()
  async create(
    @Body() form: AccountForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const { organizationId } = visitor;
    const refusal = await refusalOf(async () => {
      const { id } = await this.createAccount.execute({ organizationId, ...fieldsOf(form), ...by(visitor) });
      response.redirect(303, `/app/accounts/${id}?done=created`);
    });
    if (refusal !== undefined)
      sendDashboardPage(response, newAccountPage({ visitor, typed: form, refusal }), refusal.status);
  }

  @DashboardRoute('read')
  @Get(':id')
  async show(
    @AccountParam() id: AccountId,
    @Query() { done }: AccountQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(visitor, id, response, { done });
  }

  @DashboardAct('change_accounts')
  @Post(':id')
  async change(
    @AccountParam() id: AccountId,
    @Body() form: AccountForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => {
      await this.changeAccount.execute({ ...reference(visitor, id), ...fieldsOf(form) });
      response.redirect(303, `/app/accounts/${id}?done=changed`);
    });
    if (refusal !== undefined)
      await this.send(visitor, id, response, { refused: 'account', refusal, typed: form }, refusal.status);
  }

  /** The form shows the obstacles where the account cannot be deleted. */
  @DashboardAct('change_accounts')
  @Post(':id/delete')
  async delete(
    @AccountParam() id: AccountId,
    @Body() { confirmation = '' }: DeleteAccountForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => {
      const { name } = await this.accounts.find({ organizationId: visitor.organizationId, accountId: id });
      if (confirmation.trim() !== name)
        throw invalidField('confirmation', 'confirmation', `must be the name of the account: ${name}`);
      await this.deleteAccount.execute(reference(visitor, id));
      response.redirect(303, '/app/accounts?done=deleted');
    });
    if (refusal !== undefined)
      await this.send(visitor, id, response, { refused: 'delete', refusal, confirmation }, refusal.status);
  }

  private async send(
    visitor: DashboardVisitor,
    id: AccountId,
    response: Response,
    shown: Omit<AccountProps, 'visitor' | 'account'>,
    status = 200,
  ): Promise<void> {
    const account = await this.accounts.find({ organizationId: visitor.organizationId, accountId: id });
    sendDashboardPage(response, accountPage({ visitor, account, ...shown }), status);
  }
}

function reference(visitor: DashboardVisitor, account: AccountId) {
  return { scope: visitor.scope, account, ...by(visitor) };
}

function by({ email, address }: DashboardVisitor) {
  return { actor: email, address };
}
