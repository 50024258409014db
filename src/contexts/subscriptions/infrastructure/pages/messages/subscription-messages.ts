import type { Catalogue } from '#shared/web/messages/languages.js';
import { EN } from './subscription-messages.en.js';
import { ES } from './subscription-messages.es.js';
import { PT } from './subscription-messages.pt.js';
import type { SubscriptionTexts } from './subscription-texts.js';

/** Texts of the payer's page of a subscription, by language. */
export const SUBSCRIPTION_MESSAGES: Catalogue<SubscriptionTexts> = { en: EN, es: ES, pt: PT };
