import type { Catalogue } from '#shared/web/messages/languages.js';
import { SHARED_MESSAGES, type SharedMessages } from '#shared/web/messages/shared-messages.js';
import { english, type CheckoutMessages } from './messages.en.js';
import { spanish } from './messages.es.js';
import { portuguese } from './messages.pt.js';

/** All texts of the payer's pages: those of checkouts and payment links, and those of every page. */
export type Messages = CheckoutMessages & SharedMessages;

export const MESSAGES: Catalogue<Messages> = {
  en: { ...SHARED_MESSAGES.en, ...english },
  es: { ...SHARED_MESSAGES.es, ...spanish },
  pt: { ...SHARED_MESSAGES.pt, ...portuguese },
};
