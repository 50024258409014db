import { Injectable } from '@nestjs/common';
import type { PaymentLinkId, PointOfSaleId } from '../../../../shared/kernel/ids.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { PaymentLinks } from '../../domain/links/payment-links.js';
import { OfferedOptions, type OfferedLink } from './offered-options.js';

export interface SwitchPaymentLinkInput {
  readonly scope: Scope;
  readonly pointOfSaleId: PointOfSaleId;
  readonly linkId: PaymentLinkId;
  readonly active: boolean;
}

/** Lets a link open checkouts, or no more. What it has opened already stays payable. */
@Injectable()
export class SwitchPaymentLink {
  constructor(
    private readonly links: PaymentLinks,
    private readonly offered: OfferedOptions,
  ) {}

  /** Safe to repeat. @throws not_found, also for another tenant's */
  async execute({ scope, pointOfSaleId, linkId, active }: SwitchPaymentLinkInput): Promise<OfferedLink> {
    return this.offered.of(await this.links.switch(scope, pointOfSaleId, linkId, active));
  }
}
