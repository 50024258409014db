import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { parseTypedAmount } from '#shared/kernel/typed-amount.js';
import { may } from '#shared/kernel/dashboard-access.js';
import type { AccountId } from '#shared/kernel/ids.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import {
  CompletedActionListQuery,
  CompletedActionQuery,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import {
  auditActorOf,
  answerForm,
  requireConfirmation,
  trimmedOrUndefined,
  FormBody,
} from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import type { ActOutcome, SentForm, TypedFields } from '#shared/web/dashboard/form-fields.js';
import { ChangeAccount } from '#contexts/identity/application/accounts/change-account.js';
import { CreateAccount } from '#contexts/identity/application/accounts/create-account.js';
import { DeleteAccount } from '#contexts/identity/application/accounts/delete-account.js';
import { SetTimeZone } from '#contexts/identity/application/accounts/set-time-zone.js';
import { Accounts } from '../persistence/accounts.js';
import type { AccountInput } from '#contexts/identity/domain/accounts/account.js';
import {
  ACCOUNT_FIELDS,
  accountPage,
  basisPointsOf,
  DELETE_ACCOUNT_FIELDS,
  newAccountPage,
  renameErrorFields,
} from './account-page.js';
import { accountsPage, TIME_ZONE_FIELDS } from './accounts-page.js';

const PAGE_SIZE = 15;
const AccountParam = () => Param('id', new UuidParam('account'));
const ChangeAccountsAct = () =>
  DashboardAct('change accounts', 'manage', 'none', 'only an empty account is deleted');

@Controller('app/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: Accounts,
    private readonly createAccount: CreateAccount,
    private readonly changeAccount: ChangeAccount,
    private readonly deleteAccount: DeleteAccount,
    private readonly setTimeZone: SetTimeZone,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(@Query() query: CompletedActionListQuery, @CurrentVisitor() visitor: DashboardVisitor) {
    return showPage(await this.renderListPage(visitor, query));
  }

  @DashboardAct('set the time zone', 'manage', 'none', 'only changes how times are displayed')
  @Post('time-zone')
  changeZone(
    @FormBody(TIME_ZONE_FIELDS) form: SentForm<typeof TIME_ZONE_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const again = (sent: SentForm) => this.renderListPage(visitor, { page: 1 }, sent);
    return answerForm(form, again, async () => {
      const { time_zone: timeZone = '' } = form.typed;
      await this.setTimeZone.set({
        organizationId: visitor.organizationId,
        timeZone,
        ...auditActorOf(visitor),
      });
      return seeOther('/app/accounts?done=zone');
    });
  }

  @DashboardRoute('manage')
  @Get('new')
  showCreateForm(@CurrentVisitor() visitor: DashboardVisitor) {
    return showPage(newAccountPage({ visitor }));
  }

  @ChangeAccountsAct()
  @Post()
  create(
    @FormBody(ACCOUNT_FIELDS) form: SentForm<typeof ACCOUNT_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const { organizationId } = visitor;
    const again = (sent: SentForm) => newAccountPage({ visitor, sent: renameErrorFields(sent) });
    return answerForm(form, again, async () => {
      const described = { organizationId, ...accountInputFrom(form.typed) };
      const { id } = await this.createAccount.create({ ...described, ...auditActorOf(visitor) });
      return seeOther(`/app/accounts/${id}?done=created`);
    });
  }

  @DashboardRoute('read')
  @Get(':id')
  async show(
    @AccountParam() id: AccountId,
    @Query() { done }: CompletedActionQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    return showPage(await this.page(visitor, id, { done }));
  }

  @ChangeAccountsAct()
  @Post(':id')
  change(
    @AccountParam() id: AccountId,
    @FormBody(ACCOUNT_FIELDS) form: SentForm<typeof ACCOUNT_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const again = (sent: SentForm) => this.page(visitor, id, { sent: renameErrorFields(sent) });
    return answerForm(form, again, async () => {
      await this.changeAccount.change({ ...accountReference(visitor, id), ...accountInputFrom(form.typed) });
      return seeOther(`/app/accounts/${id}?done=changed`);
    });
  }

  @ChangeAccountsAct()
  @Post(':id/delete')
  delete(
    @AccountParam() id: AccountId,
    @FormBody(DELETE_ACCOUNT_FIELDS) form: SentForm<typeof DELETE_ACCOUNT_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const again = (sent: SentForm) => this.page(visitor, id, { sent });
    return answerForm(form, again, async () => {
      requireConfirmation(form.typed, (await this.readAccount(visitor, id)).name, 'account');
      await this.deleteAccount.delete(accountReference(visitor, id));
      return seeOther('/app/accounts?done=deleted');
    });
  }

  private async renderListPage(
    visitor: DashboardVisitor,
    { page, done }: CompletedActionListQuery,
    sent?: SentForm,
  ) {
    const paging = { page, pageSize: PAGE_SIZE };
    const found = await this.accounts.list(visitor.scope, paging);
    return accountsPage({ visitor, done, sent, ...paging, ...found });
  }

  private async page(visitor: DashboardVisitor, id: AccountId, outcome: ActOutcome) {
    const account = await this.readAccount(visitor, id);
    const { organizationId, role } = visitor;
    const obstacles = may(role, 'manage')
      ? await this.deleteAccount.listObstacles({ organizationId, accountId: id })
      : [];
    return accountPage({ visitor, account, obstacles, ...outcome });
  }

  private readAccount({ organizationId }: DashboardVisitor, accountId: AccountId) {
    return this.accounts.find({ organizationId, accountId });
  }
}

function accountReference(visitor: DashboardVisitor, account: AccountId) {
  return { scope: visitor.scope, account, ...auditActorOf(visitor) };
}

function accountInputFrom({
  name = '',
  external_id,
  percent,
  at_most,
  currency,
}: TypedFields<typeof ACCOUNT_FIELDS>): AccountInput {
  const [typedPercent, atMost] = [trimmedOrUndefined(percent), trimmedOrUndefined(at_most)];
  const hasTolerance = typedPercent !== undefined || atMost !== undefined;
  return {
    name,
    externalId: trimmedOrUndefined(external_id),
    underpaymentTolerance: hasTolerance
      ? {
          basisPoints: basisPointsOf(typedPercent ?? ''),
          atMost: atMost && parseTypedAmount(atMost, 'at_most'),
          currency: trimmedOrUndefined(currency),
        }
      : undefined,
  };
}
