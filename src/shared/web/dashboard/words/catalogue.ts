import { DELIVERY_WORDS } from './deliveries.js';
import { FORM_WORDS } from './forms.js';
import { FRAME_WORDS } from './frame.js';
import { IDENTITY_WORDS } from './identity.js';
import { LEDGER_WORDS } from './ledger.js';
import { LIST_WORDS } from './lists.js';
import { NOTIFICATION_WORDS } from './notifications.js';
import { OVERVIEW_WORDS } from './overview.js';
import { PAYMENT_WORDS } from './payments.js';
import { PEOPLE_WORDS } from './people.js';
import { SELLING_WORDS } from './selling.js';
import { SETTLEMENT_WORDS } from './settlement.js';
import { SIGN_IN_WORDS } from './sign-in.js';
import { STATUS_WORDS } from './statuses.js';
import { SUBSCRIPTION_WORDS } from './subscriptions.js';
import { WEBHOOK_WORDS } from './webhooks.js';

/** All files of the catalogue. Each string is in one file only. */
export const WORD_FILES = [
  FRAME_WORDS,
  LIST_WORDS,
  FORM_WORDS,
  STATUS_WORDS,
  OVERVIEW_WORDS,
  SIGN_IN_WORDS,
  IDENTITY_WORDS,
  PEOPLE_WORDS,
  PAYMENT_WORDS,
  SELLING_WORDS,
  SUBSCRIPTION_WORDS,
  LEDGER_WORDS,
  SETTLEMENT_WORDS,
  WEBHOOK_WORDS,
  DELIVERY_WORDS,
  NOTIFICATION_WORDS,
] as const;

type KeysOf<File> = File extends unknown ? keyof File : never;

/** A string of the catalogue, with or without placeholders. */
export type Pattern = KeysOf<(typeof WORD_FILES)[number]>;

/** A string without placeholders. */
export type Word = Exclude<Pattern, `${string}{${string}`>;

/** Placeholder names of a string. */
export type Holes<Text extends string> = Text extends `${string}{${infer Hole}}${infer Rest}`
  ? Hole | Holes<Rest>
  : never;

const WORDS = new Map(WORD_FILES.flatMap((file) => Object.entries(file)));

/** @returns the English text if there is no translation */
export function translated(text: string, language: 'en' | 'es' | 'pt'): string {
  return (language === 'en' ? undefined : WORDS.get(text)?.[language === 'es' ? 0 : 1]) ?? text;
}
