import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { invalidField, notFound } from '#shared/kernel/domain-error.js';
import type { AccountId, CredentialId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import {
  CompletedActionListQuery,
  CompletedActionQuery,
  IsEnteredText,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import {
  auditActorOf,
  handleFormSubmission,
  requireChosenId,
  requireTypedName,
  FormBody,
  trimmedOrUndefined,
} from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import type { FormActionOutcome, SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { PointOfSaleDevices } from '#contexts/identity/contract/point-of-sale-devices.js';
import { AccountBranding } from '#contexts/identity/contract/account-branding.js';
import { AccountDirectory, AccountNames } from '#contexts/identity/contract/account-directory.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PriceCurrencies } from '#contexts/rates/contract/price-currencies.js';
import { PrintedCodeUrls } from '../../domain/point-of-sale.js';
import { ChangePointOfSale } from '../../application/change-point-of-sale.js';
import { CreatePointOfSale } from '../../application/create-point-of-sale.js';
import { DeletePointOfSale } from '../../application/delete-point-of-sale.js';
import { PointsOfSaleRecords } from '../persistence/points-of-sale-records.js';
import { SettlementAddressQueries } from '../persistence/settlement-address-queries.js';
import {
  readPointOfSaleForm,
  NEW_POINT_OF_SALE_FIELDS,
  POINT_OF_SALE_FIELDS,
  renameErrorFields,
} from './point-of-sale-form.js';
import { newPointOfSalePage } from './new-point-of-sale-page.js';
import { DELETE_POINT_OF_SALE_FIELDS, pointOfSalePage } from './point-of-sale-page.js';
import { tillCodeSheet } from './till-code-sheet.js';
import { BLANK_TILL_FIELDS } from './till-fields.js';
import { pointsOfSalePage } from './points-of-sale-page.js';

const PAGE_SIZE = 15;
const MAX_NETWORKS = 100;
const PointOfSaleIdParam = () => Param('id', new UuidParam('point of sale'));

export class NewPointOfSaleQuery {
  @IsEnteredText() type?: string;
}

@Controller('app/points-of-sale')
export class PointsOfSaleController {
  constructor(
    private readonly records: PointsOfSaleRecords,
    private readonly addresses: SettlementAddressQueries,
    private readonly catalogue: NetworkCatalogue,
    private readonly createPointOfSale: CreatePointOfSale,
    private readonly changePointOfSale: ChangePointOfSale,
    private readonly deletePointOfSale: DeletePointOfSale,
    private readonly accounts: AccountDirectory,
    private readonly accountNames: AccountNames,
    private readonly branding: AccountBranding,
    private readonly coins: PriceCurrencies,
    private readonly devices: PointOfSaleDevices,
    private readonly urls: PrintedCodeUrls,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(
    @Query() { page, done }: CompletedActionListQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const request = { page, pageSize: PAGE_SIZE };
    const found = await this.records.list(visitor.scope, request);
    return showPage(pointsOfSalePage({ visitor, done, ...request, ...found }));
  }

  @DashboardRoute('manage')
  @Get('new')
  async showCreateForm(
    @Query() { type }: NewPointOfSaleQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return showPage(await this.renderCreatePage(visitor, { type }));
  }

  @DashboardActionRoute(
    'create a point of sale',
    'manage',
    'none',
    'the operator sets the settlement address',
  )
  @Post()
  create(
    @FormBody(NEW_POINT_OF_SALE_FIELDS) form: SubmittedForm<typeof NEW_POINT_OF_SALE_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { typed } = form;
    const again = (sent: SubmittedForm) => this.renderCreatePage(visitor, { sent: renameErrorFields(sent) });
    return handleFormSubmission(form, again, async () => {
      const account = await this.requireAccountId(visitor, typed.account_id);
      const { id } = await this.createPointOfSale.create({
        scope: visitor.scope,
        ...auditActorOf(visitor),
        account,
        type: typed.type ?? '',
        ...readPointOfSaleForm({
          ...typed,
          ...(typed.type === 'online' && BLANK_TILL_FIELDS),
          merchant_name:
            trimmedOrUndefined(typed.merchant_name) ?? (await this.displayNameOf(visitor, account)),
        }),
      });
      return seeOther(`/app/points-of-sale/${id}?done=created`);
    });
  }

  @DashboardRoute('read')
  @Get(':id')
  async show(
    @PointOfSaleIdParam() id: PointOfSaleId,
    @Query() { done }: CompletedActionQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return showPage(await this.page(visitor, id, { done }));
  }

  @DashboardRoute('read')
  @Get(':id/sheet')
  async showCodeSheet(
    @PointOfSaleIdParam() id: PointOfSaleId,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const point = await this.records.find(visitor.scope, id);
    if (point.code === null) throw notFound('printed code of this point of sale');
    return showPage(tillCodeSheet({ visitor, point, url: this.urls.forCode(point.code) }));
  }

  @DashboardActionRoute(
    'change a point of sale',
    'manage',
    'fresh',
    'return URL and frame origins can send payers to other sites',
  )
  @Post(':id')
  change(
    @PointOfSaleIdParam() id: PointOfSaleId,
    @FormBody(POINT_OF_SALE_FIELDS) form: SubmittedForm<typeof POINT_OF_SALE_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const again = (sent: SubmittedForm) => this.page(visitor, id, { sent: renameErrorFields(sent) });
    return handleFormSubmission(form, again, async () => {
      const change = { scope: visitor.scope, pointOfSaleId: id, ...auditActorOf(visitor) };
      await this.changePointOfSale.change({ ...change, ...readPointOfSaleForm(form.typed) });
      return seeOther(`/app/points-of-sale/${id}?done=changed`);
    });
  }

  @DashboardActionRoute('delete a point of sale', 'manage', 'none', 'refused while anything is open')
  @Post(':id/delete')
  delete(
    @PointOfSaleIdParam() id: PointOfSaleId,
    @FormBody(DELETE_POINT_OF_SALE_FIELDS) form: SubmittedForm<typeof DELETE_POINT_OF_SALE_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return handleFormSubmission(
      form,
      (sent) => this.page(visitor, id, { sent }),
      async () => {
        const { name } = await this.records.find(visitor.scope, id);
        requireTypedName(form.typed, name, 'point of sale');
        const { scope } = visitor;
        await this.deletePointOfSale.delete({ scope, pointOfSaleId: id, ...auditActorOf(visitor) });
        return seeOther('/app/points-of-sale?done=deleted');
      },
    );
  }

  @DashboardActionRoute('revoke a paired phone', 'manage', 'none', 'removes access only')
  @Post(':id/tills/:deviceId/revoke')
  async revokeTill(
    @PointOfSaleIdParam() id: PointOfSaleId,
    @Param('deviceId', new UuidParam('device')) deviceId: CredentialId,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const point = await this.records.find(visitor.scope, id);
    await this.devices.revoke(point, deviceId, auditActorOf(visitor));
    return seeOther(`/app/points-of-sale/${id}?done=revoked`);
  }

  /** An error on `account_id` displays the form again with the typed values. */
  private async requireAccountId({ organizationId }: DashboardUser, typed = ''): Promise<AccountId> {
    const account = requireChosenId<AccountId>('account_id', typed, 'the accounts');
    if (await this.accounts.belongsTo(account, organizationId)) return account;
    throw invalidField('account_id', 'account', 'must be one of the accounts of your organization.');
  }

  private async displayNameOf({ organizationId }: DashboardUser, accountId: AccountId): Promise<string> {
    return (await this.branding.brandingOf({ organizationId, accountId })).name;
  }

  private async renderCreatePage(visitor: DashboardUser, form: { type?: string; sent?: SubmittedForm }) {
    const { organizationId } = visitor;
    const typed = form.sent?.typed['account_id'];
    const accounts = await this.accountNames.searchChoices(organizationId, { typed });
    const accountId = accounts.total === 1 ? accounts.items[0]!.id : null;
    const terms = await this.listTerms({ organizationId, accountId });
    return newPointOfSalePage({ visitor, accounts, terms, ...this.formAssets(), type: undefined, ...form });
  }

  private formAssets() {
    const { catalogue } = this;
    return { networks: catalogue.networks(), assets: catalogue.assets(), coins: this.coins.codes() };
  }

  private async listTerms(scope: TenantScope) {
    const { items } = await this.addresses.listEffectiveTerms(scope, { page: 1, pageSize: MAX_NETWORKS });
    return items;
  }

  private async page(visitor: DashboardUser, id: PointOfSaleId, outcome: FormActionOutcome) {
    const point = await this.records.find(visitor.scope, id);
    const codeUrl = point.code === null ? undefined : this.urls.forCode(point.code);
    const terms = await this.listTerms(point);
    const tills = point.type === 'physical' ? await this.devices.list(point) : undefined;
    return pointOfSalePage({
      visitor,
      point,
      terms,
      codeUrl,
      tills,
      ...this.formAssets(),
      ...outcome,
    });
  }
}
