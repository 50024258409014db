import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { PointOfSaleId, SubscriptionId } from '#shared/kernel/ids.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import {
  DashboardPageQuery,
  CompletedActionListQuery,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import {
  auditActorOf,
  handleFormSubmission,
  requireChosenId,
  FormBody,
} from '#shared/platform/http/dashboard/form-body.js';
import {
  readFilteredPage,
  ListFilters,
  type ParsedFilters,
} from '#shared/platform/http/dashboard/list-filters.js';
import { IsOneOf } from '#shared/platform/http/validation/field-rules.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { EMPTY_FORM, type SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PointOfSaleDirectory } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { CreateSubscription } from '../../application/create-subscription.js';
import { RevokeSubscription } from '../../application/revoke-subscription.js';
import { SubscriptionQueries } from '../persistence/subscription-queries.js';
import { SubscriptionSettings } from '../../application/payer-page.js';
import type { SubscriptionStatus } from '../../contract/subscription-events.js';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription-snapshot.js';
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
  @IsOneOf(['', ...SUBSCRIPTION_STATUSES], { optional: true })
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
    @ListFilters(SubscriptionListQuery) filters: ParsedFilters<SubscriptionListQuery>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { page, status } = filters.query;
    const paging = { page, pageSize: PAGE_SIZE };
    const found = await readFilteredPage(filters, () =>
      this.queries.pageOfScope(visitor.scope, status ? { status } : {}, paging),
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
  async showForm(@CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(await this.createFormPage(visitor));
  }

  @DashboardActionRoute('offer a subscription', 'manage', 'none', 'the payer must accept it')
  @Post()
  create(
    @FormBody(NEW_SUBSCRIPTION_FIELDS) form: SubmittedForm<typeof NEW_SUBSCRIPTION_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { typed } = form;
    const showPageAgain = (sent: SubmittedForm) => this.createFormPage(visitor, sent);
    return handleFormSubmission(form, showPageAgain, async () => {
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
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return showPage(await this.page(visitor, id, { page, done }));
  }

  @DashboardRoute('manage')
  @Get(':id/revoke')
  async showRevokePage(
    @SubscriptionParam() id: SubscriptionId,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const subscription = await this.queries.find(visitor.scope, id);
    if (!isRevocable(subscription)) return seeOther(`/app/subscriptions/${id}`);
    return showPage(revokeSubscriptionPage(visitor, subscription));
  }

  @DashboardActionRoute('revoke a subscription', 'manage', 'none', 'only ends charges')
  @Post(':id/revoke')
  revoke(@SubscriptionParam() id: SubscriptionId, @CurrentDashboardUser() visitor: DashboardUser) {
    const showPageAgain = (sent: SubmittedForm) => this.page(visitor, id, { page: 1, sent });
    return handleFormSubmission(EMPTY_FORM, showPageAgain, async () => {
      const { pointOfSaleId } = await this.queries.find(visitor.scope, id);
      await this.revokeSubscription.byMerchant(visitor.scope, pointOfSaleId, id, auditActorOf(visitor));
      return seeOther(`/app/subscriptions/${id}?done=revoked`);
    });
  }

  private readonly networkName = (network: string): string =>
    this.catalogue.network(network)?.name ?? network;

  private async page(
    visitor: DashboardUser,
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
      url: this.settings.pageUrl(subscription.code),
      pointOfSaleName: names.get(subscription.pointOfSaleId),
    });
  }

  private async createFormPage(visitor: DashboardUser, sent?: SubmittedForm) {
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
