import { shownDate, shownMoment } from '#shared/web/formatting/shown-time.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';
import type { Catalogue, PageLanguage } from '#shared/web/messages/languages.js';
import type { SubscriptionTexts } from './messages/subscription-texts.js';
import type { SubscriptionPageModel } from './subscription-page-model.js';
import { EN } from './messages/subscription-messages.en.js';
import { ES } from './messages/subscription-messages.es.js';
import { PT } from './messages/subscription-messages.pt.js';

export const SUBSCRIPTION_MESSAGES: Catalogue<SubscriptionTexts> = { en: EN, es: ES, pt: PT };

export interface PartProps {
  readonly model: SubscriptionPageModel;
  readonly words: PageWords;
}

export interface PageWords {
  readonly text: SubscriptionTexts;
  readonly date: (time: Date) => string;
  readonly moment: (time: Date) => string;
  /** Price of each charge. */
  readonly price: string;
}

export function wordsOf({ amount, symbol }: SubscriptionPageModel, language: PageLanguage): PageWords {
  return {
    text: SUBSCRIPTION_MESSAGES[language],
    date: (time) => shownDate(time, language),
    moment: (time) => shownMoment(time, language),
    price: shownAsset(amount, symbol),
  };
}
