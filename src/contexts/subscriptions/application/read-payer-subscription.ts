import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { Page } from '#shared/kernel/page.js';
import type { SubscriptionState } from '../domain/subscription-state.js';
import { lookedForCode } from './page-code.js';
import { SubscriptionQueries, type ChargeView } from './subscription-queries.js';

/** Charges on a page. */
export const CHARGES_SHOWN = 12;

export interface PayerSubscription {
  readonly subscription: SubscriptionState;
  readonly charges: Page<ChargeView>;
  /** The newest charge, on whatever page. */
  readonly latest?: ChargeView;
  readonly now: Date;
}

/** What the payer sees. Changes and opens nothing. */
@Injectable()
export class ReadPayerSubscription {
  constructor(
    private readonly queries: SubscriptionQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * @param code of the payer's page, as the caller spelled it
   * @param page of the charges, from 1, the newest first
   * @throws not_found, the same for all that no page has
   */
  async execute(code: string, page = 1): Promise<PayerSubscription> {
    const subscription = await this.queries.findByCode(lookedForCode(code));
    const charges = await this.chargesOf(subscription, page);
    const [latest] = page === 1 ? charges.items : (await this.chargesOf(subscription, 1)).items;
    const now = await this.clock.now();
    return { subscription, charges, ...(latest === undefined ? {} : { latest }), now };
  }

  private chargesOf({ id }: SubscriptionState, page: number): Promise<Page<ChargeView>> {
    return this.queries.charges(id, { page, pageSize: CHARGES_SHOWN });
  }
}
