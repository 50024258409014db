import type { Catalogue } from '#shared/web/messages/languages.js';
import { EN } from './refund-messages.en.js';
import { ES } from './refund-messages.es.js';
import { PT } from './refund-messages.pt.js';
import type { RefundTexts } from './refund-texts.js';

/** Texts of the page at which a payer claims a refund, by language. */
export const REFUND_MESSAGES: Catalogue<RefundTexts> = { en: EN, es: ES, pt: PT };
