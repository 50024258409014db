import type { Catalogue } from '#shared/web/messages/languages.js';
import { tillEnglish, type TillTexts } from './till.en.js';
import { tillSpanish } from './till.es.js';
import { tillPortuguese } from './till.pt.js';

export const TILL_MESSAGES: Catalogue<TillTexts> = {
  en: tillEnglish,
  es: tillSpanish,
  pt: tillPortuguese,
};
