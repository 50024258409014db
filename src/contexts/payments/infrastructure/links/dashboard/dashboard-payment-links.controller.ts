import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { parseEnteredAmount } from '#shared/kernel/entered-amount.js';
import type { PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import {
  DashboardPageQuery,
  CompletedActionQuery,
  IsEnteredText,
} from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import {
  auditActorOf,
  handleFormSubmission,
  requireChosenId,
  FormBody,
  validateForm,
} from '#shared/platform/http/dashboard/form-body.js';
import {
  readFilteredPage,
  ListFilters,
  type ParsedFilters,
} from '#shared/platform/http/dashboard/list-filters.js';
import { IsOneOf } from '#shared/platform/http/validation/field-rules.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import type { SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { PointOfSaleDirectory } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { PriceCurrencies } from '#contexts/rates/contract/price-currencies.js';
import { CreatePaymentLink } from '#contexts/payments/application/links/create-payment-link.js';
import { SetPaymentLinkActive } from '#contexts/payments/application/links/set-payment-link-active.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import { OrderBody } from '../../requests/http/order.dto.js';
import { PaymentLinks } from '../persistence/payment-links.js';
import { linkDetailPage } from './link-detail-page.js';
import { linksPage } from './links-page.js';
import { NEW_LINK_FIELDS, newLinkPage } from './new-link-page.js';

const PAGE_SIZE = 15;
const LinkId = () => Param('id', new UuidParam('payment link'));

export class LinksQuery extends DashboardPageQuery {
  @IsOneOf(['', 'active', 'inactive'], { optional: true })
  state?: '' | 'active' | 'inactive';
}

/** Initial values of the form's fields. */
export class NewLinkQuery {
  @IsEnteredText() point_of_sale_id?: string;
  @IsEnteredText() amount?: string;
  @IsEnteredText() coin_code?: string;
  @IsEnteredText() description?: string;
}

const ChangesLinks = () =>
  DashboardActionRoute(
    'create, activate or deactivate a payment link',
    'manage',
    'none',
    'collects only for the organization',
  );

@Controller('app/links')
export class DashboardPaymentLinksController {
  constructor(
    private readonly links: PaymentLinks,
    private readonly pointsOfSale: PointOfSaleDirectory,
    private readonly coins: PriceCurrencies,
    private readonly createPaymentLink: CreatePaymentLink,
    private readonly setPaymentLinkActive: SetPaymentLinkActive,
    private readonly urls: CheckoutUrls,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(
    @ListFilters(LinksQuery) filters: ParsedFilters<LinksQuery>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { page, state } = filters.query;
    const paging = { page, pageSize: PAGE_SIZE };
    const active = state ? state === 'active' : undefined;
    const found = await readFilteredPage(filters, () =>
      this.links.listAll(visitor.scope, { active }, paging),
    );
    const ids = found.items.map(({ pointOfSaleId }) => pointOfSaleId);
    const names = await this.pointsOfSale.namesOf(visitor.organizationId, ids);
    const urlOf = (code: string) => this.urls.linkPage(code);
    return showPage(linksPage({ visitor, state, names, urlOf, ...paging, ...found }), found.refusal);
  }

  @DashboardRoute('manage')
  @Get('new')
  async showCreateForm(@Query() query: NewLinkQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    const hasValues = Object.values(query).some(Boolean);
    if (!hasValues) return showPage(await this.renderNewLinkPage(visitor));
    // A link needs an online point of sale, so a physical one is not suggested.
    const { point_of_sale_id: typed, ...others } = query;
    const { total } = await this.pointsOfSale.searchChoices(visitor.scope, { typed, type: 'online' });
    const values = total === 0 ? others : { ...query };
    return showPage(await this.renderNewLinkPage(visitor, { fields: NEW_LINK_FIELDS, typed: values }));
  }

  @ChangesLinks()
  @Post()
  create(
    @FormBody(NEW_LINK_FIELDS) form: SubmittedForm<typeof NEW_LINK_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { point_of_sale_id, amount = '', coin_code = '', description, return_url } = form.typed;
    const again = (sent: SubmittedForm) => this.renderNewLinkPage(visitor, sent);
    return handleFormSubmission(form, again, async () => {
      const { link } = await this.createPaymentLink.create({
        scope: visitor.scope,
        audited: auditActorOf(visitor),
        pointOfSaleId: requireChosenId<PointOfSaleId>(
          'point_of_sale_id',
          point_of_sale_id,
          'the points of sale',
        ),
        amount: parseEnteredAmount(amount),
        coinCode: coin_code.trim(),
        ...(description ? { order: await validateForm(OrderBody, { description }) } : {}),
        ...(return_url ? { returnUrl: return_url.trim() } : {}),
      });
      return seeOther(`/app/links/${link.id}?done=created`);
    });
  }

  @DashboardRoute('read')
  @Get(':id')
  async show(
    @LinkId() id: PaymentLinkId,
    @Query() { done }: CompletedActionQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const link = await this.links.find(visitor.scope, id);
    const names = await this.pointsOfSale.namesOf(visitor.organizationId, [link.pointOfSaleId]);
    const url = this.urls.linkPage(link.code);
    const pointOfSaleName = names.get(link.pointOfSaleId);
    return showPage(linkDetailPage({ visitor, link, url, pointOfSaleName, done }));
  }

  @ChangesLinks()
  @Post(':id/deactivate')
  deactivate(@LinkId() id: PaymentLinkId, @CurrentDashboardUser() visitor: DashboardUser) {
    return this.setActive(id, visitor, false);
  }

  @ChangesLinks()
  @Post(':id/activate')
  activate(@LinkId() id: PaymentLinkId, @CurrentDashboardUser() visitor: DashboardUser) {
    return this.setActive(id, visitor, true);
  }

  private async setActive(id: PaymentLinkId, visitor: DashboardUser, active: boolean) {
    await this.setPaymentLinkActive.setActive({ scope: visitor.scope, id, active, ...auditActorOf(visitor) });
    return seeOther(`/app/links/${id}?done=${active ? 'activated' : 'deactivated'}`);
  }

  private async renderNewLinkPage(visitor: DashboardUser, sent?: SubmittedForm) {
    const search = { typed: sent?.typed['point_of_sale_id'], type: 'online' } as const;
    const points = await this.pointsOfSale.searchChoices(visitor.scope, search);
    return newLinkPage({ visitor, points, coins: this.coins.codes(), sent });
  }
}
