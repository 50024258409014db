import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { invalidField } from '#shared/kernel/domain-error.js';
import { isUuid, type PointOfSaleId, type SubscriptionId } from '#shared/kernel/ids.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf, type FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PointOfSaleDirectory } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { CreateSubscription } from '../../application/create-subscription.js';
import { RevokeSubscription } from '../../application/revoke-subscription.js';
import { SubscriptionQueries } from '../persistence/subscription-queries.js';
import { SubscriptionSettings } from '../../application/payer-page.js';
import { newSubscriptionPage } from './pages/new-subscription-page.js';
import { subscriptionViewPage, type SubscriptionViewProps } from './pages/subscription-view-page.js';
import { subscriptionsPage } from './pages/subscriptions-page.js';
import {
  askedIn,
  NewSubscriptionForm,
  RevokeForm,
  SubscriptionListQuery,
  SubscriptionViewQuery,
} from './subscription.form.js';

const PAGE_SIZE = 50;
/** A longer list is no help to choose from; the API creates subscriptions of further points of sale. */
const MAX_POINTS = 500;
const SubscriptionParam = () => Param('id', new UuidParam('subscription'));

/** Subscriptions of the whole organization. */
@Controller('app/subscriptions')
export class SubscriptionsController {
  constructor(
    private readonly queries: SubscriptionQueries,
    private readonly pointsOfSale: PointOfSaleDirectory,
    private readonly catalogue: NetworkCatalogue,
    private readonly createSubscription: CreateSubscription,
    private readonly revokeSubscription: RevokeSubscription,
    private readonly settings: SubscriptionSettings,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(
    @Query() { page, status }: SubscriptionListQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const wanted = { page, pageSize: PAGE_SIZE };
    const filter = status ? { status } : {};
    const found = await this.queries.pageOfAll(visitor.scope, filter, wanted);
    const ids = found.items.map(({ pointOfSaleId }) => pointOfSaleId);
    const names = await this.pointsOfSale.namesOf(visitor.organizationId, ids);
    sendDashboardPage(response, subscriptionsPage({ visitor, status, names, ...wanted, ...found }));
  }

  @DashboardRoute('manage')
  @Get('new')
  async askForNew(@CurrentVisitor() visitor: DashboardVisitor, @Res() response: Response): Promise<void> {
    await this.sendNew(visitor, response, { interval: 'P1M' });
  }

  @DashboardAct('offer_subscription')
  @Post()
  async create(
    @Body() form: NewSubscriptionForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const { scope } = visitor;
    const refusal = await refusalOf(async () => {
      const asked = { pointOfSaleId: pointOfSaleOf(form), ...(await askedIn(form)) };
      const { id } = await this.createSubscription.execute({ scope, ...asked });
      response.redirect(303, `/app/subscriptions/${id}?done=created`);
    });
    if (refusal !== undefined) await this.sendNew(visitor, response, form, refusal);
  }

  @DashboardRoute('read')
  @Get(':id')
  async show(
    @SubscriptionParam() id: SubscriptionId,
    @Query() { page, done }: SubscriptionViewQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(visitor, id, response, { page, done });
  }

  @DashboardAct('revoke_subscription')
  @Post(':id/revoke')
  async revoke(
    @SubscriptionParam() id: SubscriptionId,
    @Body() { confirmation = '' }: RevokeForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => {
      const { pointOfSaleId } = await this.queries.find(visitor.scope, id);
      if (confirmation.trim().toLowerCase() !== 'revoke')
        throw invalidField('confirmation', 'confirmation', 'must be the word revoke.');
      await this.revokeSubscription.byMerchant(visitor.scope, pointOfSaleId, id);
      response.redirect(303, `/app/subscriptions/${id}?done=revoked`);
    });
    if (refusal !== undefined) await this.send(visitor, id, response, { page: 1, refusal, confirmation });
  }

  private async send(
    visitor: DashboardVisitor,
    id: SubscriptionId,
    response: Response,
    {
      page,
      refusal,
      ...shown
    }: Pick<SubscriptionViewProps, 'page' | 'done' | 'confirmation'> & { refusal?: FormRefusal },
  ): Promise<void> {
    const subscription = await this.queries.find(visitor.scope, id);
    const wanted = { page, pageSize: PAGE_SIZE };
    const charges = await this.queries.charges(id, wanted);
    const names = await this.pointsOfSale.namesOf(visitor.organizationId, [subscription.pointOfSaleId]);
    const view = subscriptionViewPage({
      ...{ visitor, subscription, refusal, ...shown, ...wanted, ...charges },
      url: this.settings.page(subscription.code),
      pointOfSaleName: names.get(subscription.pointOfSaleId),
    });
    sendDashboardPage(response, view, refusal?.status);
  }

  private async sendNew(
    visitor: DashboardVisitor,
    response: Response,
    typed: NewSubscriptionForm,
    refusal?: FormRefusal,
  ): Promise<void> {
    const { items } = await this.pointsOfSale.list(visitor.scope, { page: 1, pageSize: MAX_POINTS });
    const pointsOfSale = items.filter(({ type }) => type === 'online');
    const offered = new Set(pointsOfSale.flatMap(({ paymentOptions }) => paymentOptions));
    const assets = this.catalogue.assets().filter(({ uniqueAssetId }) => offered.has(uniqueAssetId));
    const page = newSubscriptionPage({ visitor, pointsOfSale, assets, typed, refusal });
    sendDashboardPage(response, page, refusal?.status);
  }
}

/** @throws DomainError on `point_of_sale_id` */
function pointOfSaleOf({ point_of_sale_id: id = '' }: NewSubscriptionForm): PointOfSaleId {
  if (isUuid(id)) return id as PointOfSaleId;
  throw invalidField('point_of_sale_id', 'point_of_sale', 'must be one of the points of sale.');
}
