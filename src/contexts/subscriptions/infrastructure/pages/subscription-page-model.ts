import type { PageBranding } from '#shared/web/document/inline-asset.js';
import type { Revoker, SubscriptionStatus } from '../../contract/subscription-events.js';
import type { BillingInterval } from '../../domain/billing-interval.js';
import type { ChargeStatus } from '../../domain/charge.js';
import { formatDate, formatDateTime } from '#shared/web/formatting/shown-time.js';
import { formatUngroupedAmount } from '#shared/web/formatting/shown-amounts.js';
import type { MessageCatalogue, PageLanguage } from '#shared/web/messages/languages.js';
import { subscriptionEnglish, type SubscriptionTexts } from './messages/subscription-messages.en.js';
import { subscriptionSpanish } from './messages/subscription-messages.es.js';
import { subscriptionPortuguese } from './messages/subscription-messages.pt.js';

export interface DisplayedCharge {
  readonly dueAt: Date;
  readonly status: ChargeStatus;
  /** True if a payment request of the charge expired unpaid. */
  readonly missed: boolean;
  readonly paidAt?: Date;
}

export interface SubscriptionPageModel {
  readonly code: string;
  readonly merchant: string;
  readonly branding?: PageBranding | undefined;
  readonly sandbox: boolean;
  /** The merchant's description at the point of sale. */
  readonly description?: string | undefined;
  readonly amount: string;
  readonly symbol: string;
  readonly assetName: string;
  readonly networkName: string;
  readonly interval: BillingInterval;
  /** `expired` also for an offer that has expired while the stored status is still pending. */
  readonly status: SubscriptionStatus;
  readonly revokedBy?: Revoker;
  readonly offeredUntil: Date;
  readonly acceptedAt?: Date;
  readonly firstDueAt?: Date;
  readonly freeUntil?: Date;
  readonly endsAt?: Date;
  readonly nextAt?: Date;
  readonly now: Date;
  /** `refused` is true if payments could not open the last request of the charge. */
  readonly toPay?: { readonly dueAt: Date; readonly until: Date; readonly refused: boolean };
  /** Newest first. */
  readonly charges: readonly DisplayedCharge[];
  readonly page: number;
  readonly pages: number;
}

export function isOver({ status }: SubscriptionPageModel): boolean {
  return status === 'completed' || status === 'expired' || status === 'revoked';
}

export function subscriptionPagePath({ code }: SubscriptionPageModel, below = ''): string {
  return `/subscription/${encodeURIComponent(code)}${below}`;
}

export const SUBSCRIPTION_MESSAGES: MessageCatalogue<SubscriptionTexts> = {
  en: subscriptionEnglish,
  es: subscriptionSpanish,
  pt: subscriptionPortuguese,
};

export interface PartProps {
  readonly model: SubscriptionPageModel;
  readonly words: PageWords;
}

export interface PageWords {
  readonly text: SubscriptionTexts;
  readonly date: (time: Date) => string;
  readonly moment: (time: Date) => string;
  readonly price: string;
}

export function wordsOf({ amount, symbol }: SubscriptionPageModel, language: PageLanguage): PageWords {
  return {
    text: SUBSCRIPTION_MESSAGES[language],
    date: (time) => formatDate(time, language),
    moment: (time) => formatDateTime(time, language),
    price: formatUngroupedAmount(amount, symbol, language),
  };
}
