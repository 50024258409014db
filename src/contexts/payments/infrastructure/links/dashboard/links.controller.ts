import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { invalidField } from '#shared/kernel/domain-error.js';
import { isUuid, type PaymentLinkId, type PointOfSaleId } from '#shared/kernel/ids.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf, type FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { PointOfSaleDirectory } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { CreatePaymentLink } from '#contexts/payments/application/links/create-payment-link.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import { PaymentLinks } from '#contexts/payments/domain/links/payment-links.js';
import { LinkQuery, LinksQuery, NewLinkForm } from './link.form.js';
import { linkDetailPage } from './link-detail-page.js';
import { linksPage } from './links-page.js';
import { newLinkPage } from './new-link-page.js';

const PAGE_SIZE = 50;
/** The longest list to choose from; links of other points of sale are created by the API. */
const MAX_POINTS_OF_SALE = 500;
const LinkId = () => Param('id', new UuidParam('payment link'));

/** Payment links of the whole organization. */
@Controller('app/links')
export class LinksController {
  constructor(
    private readonly links: PaymentLinks,
    private readonly pointsOfSale: PointOfSaleDirectory,
    private readonly createPaymentLink: CreatePaymentLink,
    private readonly urls: CheckoutUrls,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(
    @Query() { page, state }: LinksQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const paging = { page, pageSize: PAGE_SIZE };
    const active = state ? state === 'active' : undefined;
    const found = await this.links.listAll(visitor.scope, { active }, paging);
    const ids = found.items.map(({ pointOfSaleId }) => pointOfSaleId);
    const names = await this.pointsOfSale.namesOf(visitor.organizationId, ids);
    sendDashboardPage(response, linksPage({ visitor, state, names, ...paging, ...found }));
  }

  @DashboardRoute('manage')
  @Get('new')
  async askForNew(@CurrentVisitor() visitor: DashboardVisitor, @Res() response: Response): Promise<void> {
    await this.sendNew(visitor, response, {});
  }

  @DashboardAct('change_links')
  @Post()
  async create(
    @Body() form: NewLinkForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => {
      const { link } = await this.createPaymentLink.execute({
        scope: visitor.scope,
        pointOfSaleId: pointOfSaleOf(form),
        amount: (form.amount ?? '').trim(),
        coinCode: (form.coin_code ?? '').trim(),
        ...(form.return_url ? { returnUrl: form.return_url.trim() } : {}),
      });
      response.redirect(303, `/app/links/${link.id}?done=created`);
    });
    if (refusal !== undefined) await this.sendNew(visitor, response, form, refusal);
  }

  @DashboardRoute('read')
  @Get(':id')
  async show(
    @LinkId() id: PaymentLinkId,
    @Query() { done }: LinkQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const link = await this.links.find(visitor.scope, id);
    const names = await this.pointsOfSale.namesOf(visitor.organizationId, [link.pointOfSaleId]);
    const url = this.urls.linkPage(link.code);
    const pointOfSaleName = names.get(link.pointOfSaleId);
    sendDashboardPage(response, linkDetailPage({ visitor, link, url, pointOfSaleName, done }));
  }

  @DashboardAct('change_links')
  @Post(':id/deactivate')
  deactivate(
    @LinkId() id: PaymentLinkId,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ) {
    return this.switch(id, visitor, response, false);
  }

  @DashboardAct('change_links')
  @Post(':id/activate')
  activate(
    @LinkId() id: PaymentLinkId,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ) {
    return this.switch(id, visitor, response, true);
  }

  private async switch(
    id: PaymentLinkId,
    { scope }: DashboardVisitor,
    response: Response,
    active: boolean,
  ): Promise<void> {
    const { pointOfSaleId } = await this.links.find(scope, id);
    await this.links.setActive(scope, pointOfSaleId, id, active);
    response.redirect(303, `/app/links/${id}?done=${active ? 'activated' : 'deactivated'}`);
  }

  private async sendNew(
    visitor: DashboardVisitor,
    response: Response,
    typed: NewLinkForm,
    refusal?: FormRefusal,
  ): Promise<void> {
    const { items } = await this.pointsOfSale.list(visitor.scope, { page: 1, pageSize: MAX_POINTS_OF_SALE });
    const pointsOfSale = items.filter(({ type }) => type === 'online');
    sendDashboardPage(response, newLinkPage({ visitor, pointsOfSale, typed, refusal }), refusal?.status);
  }
}

/** @throws DomainError on `point_of_sale_id` */
function pointOfSaleOf({ point_of_sale_id: id = '' }: NewLinkForm): PointOfSaleId {
  if (isUuid(id)) return id as PointOfSaleId;
  throw invalidField('point_of_sale_id', 'point_of_sale', 'must be one of the points of sale.');
}
