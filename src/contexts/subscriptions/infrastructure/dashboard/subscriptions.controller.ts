import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { PointOfSaleId, SubscriptionId } from '#shared/kernel/ids.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import {
  DashboardPageQuery,
  CompletedActionListQuery,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import {
  auditActorOf,
  answerForm,
  requireChosenId,
  FormBody,
} from '#shared/platform/http/dashboard/form-body.js';
import {
  readFilteredPage,
  ListFilters,
  type ReadFilters,
} from '#shared/platform/http/dashboard/list-filters.js';
import { OneOf } from '#shared/platform/http/validation/field-rules.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { BUTTON_FORM, type SentForm } from '#shared/web/dashboard/form-fields.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PointOfSaleDirectory } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { CreateSubscription } from '../../application/create-subscription.js';
import { RevokeSubscription } from '../../application/revoke-subscription.js';
import { SubscriptionQueries } from '../persistence/subscription-queries.js';
import { SubscriptionSettings } from '../../application/payer-page.js';
import type { SubscriptionStatus } from '../../contract/subscription-events.js';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription-state.js';
import {
  readNewSubscription,
  NEW_SUBSCRIPTION_FIELDS,
  newSubscriptionPage,
} from './new-subscription-page.js';
import {
  isRevocable,
  revokeSubscriptionPage,
  subscriptionViewPage,
  type SubscriptionViewProps,
} from './subscription-view-page.js';
import { subscriptionsPage } from './subscriptions-page.js';

const PAGE_SIZE = 15;
const SubscriptionParam = () => Param('id', new UuidParam('subscription'));

export class SubscriptionListQuery extends DashboardPageQuery {
  @OneOf(['', ...SUBSCRIPTION_STATUSES], { optional: true })
  status?: '' | SubscriptionStatus;
}

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
    @ListFilters(SubscriptionListQuery) filters: ReadFilters<SubscriptionListQuery>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const { page, status } = filters.query;
    const paging = { page, pageSize: PAGE_SIZE };
    const found = await readFilteredPage(filters, () =>
      this.queries.pageOfAll(visitor.scope, status ? { status } : {}, paging),
    );
    const ids = found.items.map(({ pointOfSaleId }) => pointOfSaleId);
    const names = await this.pointsOfSale.namesOf(visitor.organizationId, ids);
    return showPage(
      subscriptionsPage({ visitor, status, names, networkName: this.networkName, ...paging, ...found }),
      found.refusal,
    );
  }

  @DashboardRoute('manage')
  @Get('new')
  async askForNew(@CurrentVisitor() visitor: DashboardVisitor) {
    return showPage(await this.createFormPage(visitor));
  }

  @DashboardAct('offer a subscription', 'manage', 'none', 'the payer must accept it')
  @Post()
  create(
    @FormBody(NEW_SUBSCRIPTION_FIELDS) form: SentForm<typeof NEW_SUBSCRIPTION_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const { typed } = form;
    const showPageAgain = (sent: SentForm) => this.createFormPage(visitor, sent);
    return answerForm(form, showPageAgain, async () => {
      const { id } = await this.createSubscription.create({
        scope: visitor.scope,
        audited: auditActorOf(visitor),
        pointOfSaleId: requireChosenId<PointOfSaleId>(
          'point_of_sale_id',
          typed.point_of_sale_id,
          'the points of sale',
        ),
        ...(await readNewSubscription(typed)),
      });
      return seeOther(`/app/subscriptions/${id}?done=created`);
    });
  }

  @DashboardRoute('read')
  @Get(':id')
  async show(
    @SubscriptionParam() id: SubscriptionId,
    @Query() { page, done }: CompletedActionListQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    return showPage(await this.page(visitor, id, { page, done }));
  }

  @DashboardRoute('manage')
  @Get(':id/revoke')
  async confirmRevoke(@SubscriptionParam() id: SubscriptionId, @CurrentVisitor() visitor: DashboardVisitor) {
    const subscription = await this.queries.find(visitor.scope, id);
    if (!isRevocable(subscription)) return seeOther(`/app/subscriptions/${id}`);
    return showPage(revokeSubscriptionPage(visitor, subscription));
  }

  @DashboardAct('revoke a subscription', 'manage', 'none', 'only ends charges')
  @Post(':id/revoke')
  revoke(@SubscriptionParam() id: SubscriptionId, @CurrentVisitor() visitor: DashboardVisitor) {
    const showPageAgain = (sent: SentForm) => this.page(visitor, id, { page: 1, sent });
    return answerForm(BUTTON_FORM, showPageAgain, async () => {
      const { pointOfSaleId } = await this.queries.find(visitor.scope, id);
      await this.revokeSubscription.byMerchant(visitor.scope, pointOfSaleId, id, auditActorOf(visitor));
      return seeOther(`/app/subscriptions/${id}?done=revoked`);
    });
  }

  private readonly networkName = (network: string): string =>
    this.catalogue.network(network)?.name ?? network;

  private async page(
    visitor: DashboardVisitor,
    id: SubscriptionId,
    { page, ...shown }: Pick<SubscriptionViewProps, 'page' | 'done' | 'sent'>,
  ) {
    const subscription = await this.queries.find(visitor.scope, id);
    const paging = { page, pageSize: PAGE_SIZE };
    const charges = await this.queries.charges(id, paging);
    const names = await this.pointsOfSale.namesOf(visitor.organizationId, [subscription.pointOfSaleId]);
    return subscriptionViewPage({
      ...{ visitor, subscription, ...shown, ...paging, ...charges },
      networkName: this.networkName(subscription.asset.network),
      url: this.settings.page(subscription.code),
      pointOfSaleName: names.get(subscription.pointOfSaleId),
    });
  }

  private async createFormPage(visitor: DashboardVisitor, sent?: SentForm) {
    const search = { typed: sent?.typed['point_of_sale_id'], type: 'online' } as const;
    const points = await this.pointsOfSale.searchChoices(visitor.scope, search);
    const offered = new Set(points.items.flatMap(({ paymentOptions }) => paymentOptions));
    // If the list is incomplete, the points of sale not listed may accept other assets.
    const isWhole = points.total === points.items.length;
    const assets = this.catalogue
      .assets()
      .filter(({ uniqueAssetId }) => !isWhole || offered.has(uniqueAssetId));
    return newSubscriptionPage({ visitor, points, assets, networkName: this.networkName, sent });
  }
}
