import type { CheckoutPageModel } from './checkout-page-model.js';
import { MESSAGES, type Messages } from './messages/messages.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { phaseOf, type Phase } from './phase.js';
import { isolated, plain } from '#shared/web/formatting/plain-text.js';
import { shownCoin } from '#shared/web/formatting/shown-amounts.js';

/** Every part of the checkout page is made from this. */
export interface PageView {
  readonly model: CheckoutPageModel;
  readonly phase: Phase;
  readonly language: PageLanguage;
  readonly text: Messages;
  /** The merchant's name, safe within a sentence. */
  readonly merchant: string;
  readonly price: string;
}

export function pageView(source: CheckoutPageModel, language: PageLanguage): PageView {
  const model = plain(source);
  return {
    model,
    phase: phaseOf(model),
    language,
    text: MESSAGES[language],
    merchant: isolated(model.merchant.name),
    price: shownCoin(model.amount, model.coinCode, language),
  };
}
