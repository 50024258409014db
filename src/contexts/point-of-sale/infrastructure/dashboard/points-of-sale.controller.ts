import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { invalidField } from '#shared/kernel/domain-error.js';
import { isUuid, type AccountId, type PointOfSaleId } from '#shared/kernel/ids.js';
import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-page.query.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf, type FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { ChangePointOfSale } from '../../application/change-point-of-sale.js';
import { CreatePointOfSale } from '../../application/create-point-of-sale.js';
import { PointsOfSaleRecords } from '../../application/points-of-sale-records.js';
import { SettlementAddressQueries } from '../persistence/settlement-address-queries.js';
import {
  ChangePointOfSaleForm,
  describedIn,
  NewPointOfSaleForm,
  PointOfSaleDoneQuery,
  refusedFields,
} from './point-of-sale.form.js';
import { newPointOfSalePage } from './pages/new-point-of-sale-page.js';
import { pointOfSalePage, type PointOfSaleProps } from './pages/point-of-sale-page.js';
import { pointsOfSalePage } from './pages/points-of-sale-page.js';

const PAGE_SIZE = 50;
/** The list has a row for each network. */
const MAX_NETWORKS = 100;
const PointId = () => Param('id', new UuidParam('point of sale'));

@Controller('app/points-of-sale')
export class PointsOfSaleController {
  constructor(
    private readonly records: PointsOfSaleRecords,
    private readonly addresses: SettlementAddressQueries,
    private readonly catalogue: NetworkCatalogue,
    private readonly createPointOfSale: CreatePointOfSale,
    private readonly changePointOfSale: ChangePointOfSale,
    private readonly accounts: AccountDirectory,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(
    @Query() { page }: DashboardPageQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const request = { page, pageSize: PAGE_SIZE };
    const found = await this.records.list(visitor.scope, request);
    sendDashboardPage(response, pointsOfSalePage({ visitor, ...request, ...found }));
  }

  @DashboardRoute('manage')
  @Get('new')
  askForNew(@CurrentVisitor() visitor: DashboardVisitor, @Res() response: Response): void {
    this.sendNew(visitor, response, {});
  }

  @DashboardAct('create_point_of_sale')
  @Post()
  async create(
    @Body() form: NewPointOfSaleForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const { scope, email: actor, address } = visitor;
    const refusal = await refusalOf(async () => {
      const made = await this.createPointOfSale.execute({
        scope,
        actor,
        address,
        account: await this.ownAccount(visitor, form.account_id),
        type: form.type ?? '',
        ...describedIn(form),
      });
      response.redirect(303, `/app/points-of-sale/${made.id}?done=created`);
    });
    if (refusal !== undefined) this.sendNew(visitor, response, form, refusal);
  }

  @DashboardRoute('read')
  @Get(':id')
  async show(
    @PointId() id: PointOfSaleId,
    @Query() { done }: PointOfSaleDoneQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(visitor, id, response, { done });
  }

  @DashboardAct('change_point_of_sale')
  @Post(':id')
  async change(
    @PointId() id: PointOfSaleId,
    @Body() form: ChangePointOfSaleForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const { scope, email: actor, address } = visitor;
    const refusal = await refusalOf(async () => {
      const described = describedIn(form);
      await this.changePointOfSale.execute({ scope, pointOfSaleId: id, actor, address, ...described });
      response.redirect(303, `/app/points-of-sale/${id}?done=changed`);
    });
    if (refusal !== undefined)
      await this.send(
        visitor,
        id,
        response,
        { typed: form, refusal: refusedFields(refusal) },
        refusal.status,
      );
  }

  /** @throws DomainError on `account_id`, so that the form comes back with what was typed */
  private async ownAccount({ organizationId }: DashboardVisitor, typed = ''): Promise<string> {
    const account = typed.trim();
    if (isUuid(account) && (await this.accounts.belongsTo(account as AccountId, organizationId)))
      return account;
    throw invalidField('account_id', 'account', 'must be the id of an account of your organization.');
  }

  private async send(
    visitor: DashboardVisitor,
    id: PointOfSaleId,
    response: Response,
    shown: Pick<PointOfSaleProps, 'done' | 'typed' | 'refusal'>,
    status = 200,
  ): Promise<void> {
    const point = await this.records.find(visitor.scope, id);
    const { items: terms } = await this.addresses.inForce(point, { page: 1, pageSize: MAX_NETWORKS });
    const networks = this.catalogue.networks();
    const assets = this.catalogue.assets();
    sendDashboardPage(
      response,
      pointOfSalePage({ visitor, point, terms, networks, assets, ...shown }),
      status,
    );
  }

  private sendNew(
    visitor: DashboardVisitor,
    response: Response,
    typed: NewPointOfSaleForm,
    refusal?: FormRefusal,
  ): void {
    const shown = { visitor, typed, assets: this.catalogue.assets() };
    const page = newPointOfSalePage({ ...shown, refusal: refusal && refusedFields(refusal) });
    sendDashboardPage(response, page, refusal?.status);
  }
}
