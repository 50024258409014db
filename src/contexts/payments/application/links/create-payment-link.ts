import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { newId, type PaymentLinkId, type PointOfSaleId } from '#shared/kernel/ids.js';
import { IdempotentCreations, type IdempotentCreation } from '#shared/kernel/idempotent-creation.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { OrganizationApproval } from '#contexts/identity/contract/organization-approval.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PointsOfSale, type PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { toLinkAuditFields, type PaymentLink } from '../../domain/links/payment-link.js';
import { PaymentLinks } from '../../infrastructure/links/persistence/payment-links.js';
import { assertReturnUrl, refuseLinksOnPhysicalPos } from '../checkout/create-checkout.js';
import { PricedPaymentLinks, type PricedPaymentLink } from './priced-payment-links.js';
import type { PartialOrder } from '../../domain/requests/order.js';
import { PricePaymentOptions } from '../requests/price-payment-options.js';
import { requirePrice } from '#shared/kernel/read-price.js';

export interface CreatePaymentLinkInput {
  readonly scope: TenantScope;
  readonly pointOfSaleId: PointOfSaleId;
  readonly amount: string;
  readonly coinCode: string;
  readonly order?: PartialOrder;
  readonly returnUrl?: string;
  readonly idempotency?: IdempotentCreation<PricedPaymentLink> | undefined;
  readonly audited?: Actor;
}

const LINK_CODE_BYTES = 16;

@Injectable()
export class CreatePaymentLink {
  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly catalogue: NetworkCatalogue,
    private readonly pricePaymentOptions: PricePaymentOptions,
    private readonly links: PaymentLinks,
    private readonly offered: PricedPaymentLinks,
    private readonly clock: Clock,
    private readonly idempotentCreations: IdempotentCreations,
    private readonly cell: DeploymentCell,
    private readonly unitOfWork: UnitOfWork,
    private readonly auditLog: AuditLog,
    private readonly approval: OrganizationApproval,
  ) {}

  async create({ scope, pointOfSaleId, ...input }: CreatePaymentLinkInput): Promise<PricedPaymentLink> {
    const { coinCode, order, returnUrl } = input;
    const amount = requirePrice(input.amount, coinCode, this.catalogue.assets());
    assertReturnUrl(returnUrl);
    const point = await this.pointsOfSale.find(scope, pointOfSaleId);
    refuseLinksOnPhysicalPos(point);
    await this.approval.require(point.organizationId);
    const createdAt = await this.clock.now();
    await this.assertPayable(point, amount, coinCode, createdAt);
    const link: PaymentLink = {
      id: newId<PaymentLinkId>(),
      ...{ organizationId: point.organizationId, accountId: point.accountId, pointOfSaleId: point.id },
      code: newLinkCode(this.cell),
      ...{ amount, coinCode, order, returnUrl, createdAt },
      active: true,
    };
    return this.idempotentCreations.run(input.idempotency, async () => {
      await this.storeLink(link, input.audited);
      return this.offered.priceListedLink(point, link);
    });
  }

  private storeLink(link: PaymentLink, by: Actor | undefined): Promise<void> {
    if (by === undefined) return this.links.add(link);
    return this.unitOfWork.run(async () => {
      await this.links.add(link);
      const { organizationId, id: subjectId, createdAt: at } = link;
      const change = { subjectId, before: null, after: toLinkAuditFields(link) };
      await this.auditLog.record({ ...by, action: 'payment_link.created', organizationId, ...change, at });
    });
  }

  /** Accepts options without a rate now, because they may have a rate when the link is opened. */
  private async assertPayable(
    point: PaymentPointOfSale,
    amount: string,
    coinCode: string,
    now: Date,
  ): Promise<void> {
    const assets = point.paymentOptions.flatMap((option) => this.catalogue.asset(option) ?? []);
    if (assets.length === 0) return;
    try {
      await this.pricePaymentOptions.priceAssets(assets, amount, coinCode, now);
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'invalid') throw error;
    }
  }
}

/** 128 random bits, so that links cannot be guessed. */
function newLinkCode(cell: DeploymentCell): string {
  return cell.addCellMark(randomBytes(LINK_CODE_BYTES).toString('base64url'));
}
