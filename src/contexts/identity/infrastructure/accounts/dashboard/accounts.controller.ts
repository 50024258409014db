import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { parseEnteredAmount } from '#shared/kernel/entered-amount.js';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import type { AccountId } from '#shared/kernel/ids.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import {
  CompletedActionListQuery,
  CompletedActionQuery,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import {
  auditActorOf,
  handleFormSubmission,
  requireTypedName,
  trimmedOrUndefined,
  FormBody,
} from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import type { FormActionOutcome, SubmittedForm, SubmittedFields } from '#shared/web/dashboard/form-fields.js';
import { ChangeMerchantAccount } from '#contexts/identity/application/accounts/change-merchant-account.js';
import { CreateMerchantAccount } from '#contexts/identity/application/accounts/create-merchant-account.js';
import { DeleteMerchantAccount } from '#contexts/identity/application/accounts/delete-merchant-account.js';
import { SetOrganizationTimeZone } from '#contexts/identity/application/accounts/set-organization-time-zone.js';
import { MerchantAccounts } from '../persistence/merchant-accounts.js';
import type { AccountInput } from '#contexts/identity/domain/accounts/account.js';
import {
  ACCOUNT_FIELDS,
  merchantAccountPage,
  basisPointsOf,
  DELETE_ACCOUNT_FIELDS,
  newMerchantAccountPage,
  renameErrorFields,
} from './merchant-account-page.js';
import { merchantAccountsPage, TIME_ZONE_FIELDS } from './merchant-accounts-page.js';

const PAGE_SIZE = 15;
const AccountParam = () => Param('id', new UuidParam('account'));
const ChangeAccountsAct = () =>
  DashboardActionRoute('change accounts', 'manage', 'none', 'only an empty account is deleted');

@Controller('app/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: MerchantAccounts,
    private readonly createMerchantAccount: CreateMerchantAccount,
    private readonly changeMerchantAccount: ChangeMerchantAccount,
    private readonly deleteMerchantAccount: DeleteMerchantAccount,
    private readonly setOrganizationTimeZone: SetOrganizationTimeZone,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(@Query() query: CompletedActionListQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(await this.renderListPage(visitor, query));
  }

  @DashboardActionRoute('set the time zone', 'manage', 'none', 'only changes how times are displayed')
  @Post('time-zone')
  changeZone(
    @FormBody(TIME_ZONE_FIELDS) form: SubmittedForm<typeof TIME_ZONE_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const again = (sent: SubmittedForm) => this.renderListPage(visitor, { page: 1 }, sent);
    return handleFormSubmission(form, again, async () => {
      const { time_zone: timeZone = '' } = form.typed;
      await this.setOrganizationTimeZone.set({
        organizationId: visitor.organizationId,
        timeZone,
        ...auditActorOf(visitor),
      });
      return seeOther('/app/accounts?done=zone');
    });
  }

  @DashboardRoute('manage')
  @Get('new')
  showCreateForm(@CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(newMerchantAccountPage({ visitor }));
  }

  @ChangeAccountsAct()
  @Post()
  create(
    @FormBody(ACCOUNT_FIELDS) form: SubmittedForm<typeof ACCOUNT_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { organizationId } = visitor;
    const again = (sent: SubmittedForm) => newMerchantAccountPage({ visitor, sent: renameErrorFields(sent) });
    return handleFormSubmission(form, again, async () => {
      const described = { organizationId, ...accountInputFrom(form.typed) };
      const { id } = await this.createMerchantAccount.create({ ...described, ...auditActorOf(visitor) });
      return seeOther(`/app/accounts/${id}?done=created`);
    });
  }

  @DashboardRoute('read')
  @Get(':id')
  async show(
    @AccountParam() id: AccountId,
    @Query() { done }: CompletedActionQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return showPage(await this.page(visitor, id, { done }));
  }

  @ChangeAccountsAct()
  @Post(':id')
  change(
    @AccountParam() id: AccountId,
    @FormBody(ACCOUNT_FIELDS) form: SubmittedForm<typeof ACCOUNT_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const again = (sent: SubmittedForm) => this.page(visitor, id, { sent: renameErrorFields(sent) });
    return handleFormSubmission(form, again, async () => {
      await this.changeMerchantAccount.change({
        ...accountReference(visitor, id),
        ...accountInputFrom(form.typed),
      });
      return seeOther(`/app/accounts/${id}?done=changed`);
    });
  }

  @ChangeAccountsAct()
  @Post(':id/delete')
  delete(
    @AccountParam() id: AccountId,
    @FormBody(DELETE_ACCOUNT_FIELDS) form: SubmittedForm<typeof DELETE_ACCOUNT_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const again = (sent: SubmittedForm) => this.page(visitor, id, { sent });
    return handleFormSubmission(form, again, async () => {
      requireTypedName(form.typed, (await this.readAccount(visitor, id)).name, 'account');
      await this.deleteMerchantAccount.delete(accountReference(visitor, id));
      return seeOther('/app/accounts?done=deleted');
    });
  }

  private async renderListPage(
    visitor: DashboardUser,
    { page, done }: CompletedActionListQuery,
    sent?: SubmittedForm,
  ) {
    const paging = { page, pageSize: PAGE_SIZE };
    const found = await this.accounts.list(visitor.scope, paging);
    return merchantAccountsPage({ visitor, done, sent, ...paging, ...found });
  }

  private async page(visitor: DashboardUser, id: AccountId, outcome: FormActionOutcome) {
    const account = await this.readAccount(visitor, id);
    const { organizationId, role } = visitor;
    const obstacles = hasPermission(role, 'manage')
      ? await this.deleteMerchantAccount.listObstacles({ organizationId, accountId: id })
      : [];
    return merchantAccountPage({ visitor, account, obstacles, ...outcome });
  }

  private readAccount({ organizationId }: DashboardUser, accountId: AccountId) {
    return this.accounts.find({ organizationId, accountId });
  }
}

function accountReference(visitor: DashboardUser, account: AccountId) {
  return { scope: visitor.scope, account, ...auditActorOf(visitor) };
}

function accountInputFrom({
  name = '',
  external_id,
  percent,
  at_most,
  currency,
}: SubmittedFields<typeof ACCOUNT_FIELDS>): AccountInput {
  const [typedPercent, atMost] = [trimmedOrUndefined(percent), trimmedOrUndefined(at_most)];
  const hasTolerance = typedPercent !== undefined || atMost !== undefined;
  return {
    name,
    externalId: trimmedOrUndefined(external_id),
    underpaymentTolerance: hasTolerance
      ? {
          basisPoints: basisPointsOf(typedPercent ?? ''),
          atMost: atMost && parseEnteredAmount(atMost, 'at_most'),
          currency: trimmedOrUndefined(currency),
        }
      : undefined,
  };
}
