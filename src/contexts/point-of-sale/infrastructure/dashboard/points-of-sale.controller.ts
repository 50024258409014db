import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { invalidField, notFound } from '#shared/kernel/domain-error.js';
import type { AccountId, CredentialId, PointOfSaleId } from '#shared/kernel/ids.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardPageQuery, CompletedActionQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import {
  auditActorOf,
  answerForm,
  requireChosenId,
  FormBody,
} from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import type { ActOutcome, SentForm } from '#shared/web/dashboard/form-fields.js';
import { Devices } from '#contexts/identity/contract/devices.js';
import { AccountDirectory, AccountNames } from '#contexts/identity/contract/account-directory.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { CodeUrls } from '../../domain/point-of-sale.js';
import { ChangePointOfSale } from '../../application/change-point-of-sale.js';
import { CreatePointOfSale } from '../../application/create-point-of-sale.js';
import { PointsOfSaleRecords } from '../persistence/points-of-sale-records.js';
import { SettlementAddressQueries } from '../persistence/settlement-address-queries.js';
import {
  readPointOfSaleForm,
  NEW_POINT_OF_SALE_FIELDS,
  newPointOfSalePage,
  POINT_OF_SALE_FIELDS,
  renameErrorFields,
} from './point-of-sale-form.js';
import { pointOfSalePage } from './point-of-sale-page.js';
import { tillCodeSheet } from './till-code-sheet.js';
import { pointsOfSalePage } from './points-of-sale-page.js';

const PAGE_SIZE = 15;
const MAX_NETWORKS = 100;
const PointOfSaleIdParam = () => Param('id', new UuidParam('point of sale'));

@Controller('app/points-of-sale')
export class PointsOfSaleController {
  constructor(
    private readonly records: PointsOfSaleRecords,
    private readonly addresses: SettlementAddressQueries,
    private readonly catalogue: NetworkCatalogue,
    private readonly createPointOfSale: CreatePointOfSale,
    private readonly changePointOfSale: ChangePointOfSale,
    private readonly accounts: AccountDirectory,
    private readonly accountNames: AccountNames,
    private readonly devices: Devices,
    private readonly urls: CodeUrls,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(@Query() { page }: DashboardPageQuery, @CurrentVisitor() visitor: DashboardVisitor) {
    const request = { page, pageSize: PAGE_SIZE };
    const found = await this.records.list(visitor.scope, request);
    return showPage(pointsOfSalePage({ visitor, ...request, ...found }));
  }

  @DashboardRoute('manage')
  @Get('new')
  async showCreateForm(@CurrentVisitor() visitor: DashboardVisitor) {
    return showPage(await this.renderCreatePage(visitor));
  }

  @DashboardAct('create a point of sale', 'manage', 'none', 'the operator sets the settlement address')
  @Post()
  create(
    @FormBody(NEW_POINT_OF_SALE_FIELDS) form: SentForm<typeof NEW_POINT_OF_SALE_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const { typed } = form;
    const again = (sent: SentForm) => this.renderCreatePage(visitor, renameErrorFields(sent));
    return answerForm(form, again, async () => {
      const { id } = await this.createPointOfSale.create({
        scope: visitor.scope,
        ...auditActorOf(visitor),
        account: await this.requireAccountId(visitor, typed.account_id),
        type: typed.type ?? '',
        ...readPointOfSaleForm(typed),
      });
      return seeOther(`/app/points-of-sale/${id}?done=created`);
    });
  }

  @DashboardRoute('read')
  @Get(':id')
  async show(
    @PointOfSaleIdParam() id: PointOfSaleId,
    @Query() { done }: CompletedActionQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    return showPage(await this.page(visitor, id, { done }));
  }

  @DashboardRoute('read')
  @Get(':id/sheet')
  async showCodeSheet(@PointOfSaleIdParam() id: PointOfSaleId, @CurrentVisitor() visitor: DashboardVisitor) {
    const point = await this.records.find(visitor.scope, id);
    if (point.code === null) throw notFound('printed code of this point of sale');
    return showPage(tillCodeSheet({ visitor, point, url: this.urls.forCode(point.code) }));
  }

  @DashboardAct(
    'change a point of sale',
    'manage',
    'fresh',
    'return URL and frame origins can send payers to other sites',
  )
  @Post(':id')
  change(
    @PointOfSaleIdParam() id: PointOfSaleId,
    @FormBody(POINT_OF_SALE_FIELDS) form: SentForm<typeof POINT_OF_SALE_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const again = (sent: SentForm) => this.page(visitor, id, { sent: renameErrorFields(sent) });
    return answerForm(form, again, async () => {
      const change = { scope: visitor.scope, pointOfSaleId: id, ...auditActorOf(visitor) };
      await this.changePointOfSale.change({ ...change, ...readPointOfSaleForm(form.typed) });
      return seeOther(`/app/points-of-sale/${id}?done=changed`);
    });
  }

  @DashboardAct('revoke a paired phone', 'manage', 'none', 'removes access only')
  @Post(':id/tills/:deviceId/revoke')
  async revokeTill(
    @PointOfSaleIdParam() id: PointOfSaleId,
    @Param('deviceId', new UuidParam('device')) deviceId: CredentialId,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const point = await this.records.find(visitor.scope, id);
    await this.devices.revoke(point, deviceId, auditActorOf(visitor));
    return seeOther(`/app/points-of-sale/${id}?done=revoked`);
  }

  /** An error on `account_id` displays the form again with the typed values. */
  private async requireAccountId({ organizationId }: DashboardVisitor, typed = ''): Promise<string> {
    const account = requireChosenId<AccountId>('account_id', typed, 'the accounts');
    if (await this.accounts.belongsTo(account, organizationId)) return account;
    throw invalidField('account_id', 'account', 'must be one of the accounts of your organization.');
  }

  private async renderCreatePage(visitor: DashboardVisitor, sent?: SentForm) {
    const typed = sent?.typed['account_id'];
    const accounts = await this.accountNames.searchChoices(visitor.organizationId, { typed });
    return newPointOfSalePage({ visitor, accounts, ...this.knownAssetsAndNetworks(), sent });
  }

  private knownAssetsAndNetworks() {
    return { networks: this.catalogue.networks(), assets: this.catalogue.assets() };
  }

  private async page(visitor: DashboardVisitor, id: PointOfSaleId, outcome: ActOutcome) {
    const point = await this.records.find(visitor.scope, id);
    const codeUrl = point.code === null ? undefined : this.urls.forCode(point.code);
    const { items: terms } = await this.addresses.listTermsInForce(point, {
      page: 1,
      pageSize: MAX_NETWORKS,
    });
    const tills = point.type === 'physical' ? await this.devices.list(point) : undefined;
    return pointOfSalePage({
      visitor,
      point,
      terms,
      codeUrl,
      tills,
      ...this.knownAssetsAndNetworks(),
      ...outcome,
    });
  }
}
