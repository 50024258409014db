import { english, type Messages } from './messages.en.js';
import { spanish } from './messages.es.js';
import { portuguese } from './messages.pt.js';

export type { Messages };

/** What `<html lang>` says; the first is for payers who speak none of them. */
export const PAGE_LANGUAGES = ['en', 'es', 'pt'] as const;

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

export const MESSAGES: Record<PageLanguage, Messages> = {
  en: english,
  es: spanish,
  pt: portuguese,
};
