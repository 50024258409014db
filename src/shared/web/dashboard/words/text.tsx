import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { formatCount } from '../../formatting/shown-amounts.js';
import type { PageLanguage } from '../../messages/languages.js';
import { AUDIT_WORDS } from './audit.js';
import { DELIVERY_WORDS } from './deliveries.js';
import { FORM_WORDS } from './forms.js';
import { DASHBOARD_LAYOUT_WORDS } from './dashboard-layout.js';
import { ACCOUNT_BRANDING_KEY_WORDS } from './account-branding-key.js';
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

/** All translation files. Each English text occurs in only one of them. */
export const WORD_FILES = [
  DASHBOARD_LAYOUT_WORDS,
  LIST_WORDS,
  FORM_WORDS,
  STATUS_WORDS,
  OVERVIEW_WORDS,
  SIGN_IN_WORDS,
  ACCOUNT_BRANDING_KEY_WORDS,
  PEOPLE_WORDS,
  AUDIT_WORDS,
  PAYMENT_WORDS,
  SELLING_WORDS,
  SUBSCRIPTION_WORDS,
  LEDGER_WORDS,
  SETTLEMENT_WORDS,
  WEBHOOK_WORDS,
  DELIVERY_WORDS,
  NOTIFICATION_WORDS,
] as const;

type KeysOfFile<File> = File extends unknown ? keyof File : never;

/** An English text that has translations, possibly with placeholders such as `{name}`. */
export type TranslatablePattern = KeysOfFile<(typeof WORD_FILES)[number]>;

/** An English text with translations and without placeholders. */
export type Word = Exclude<TranslatablePattern, `${string}{${string}`>;

/** Names of the placeholders in a text. */
type Placeholders<Text extends string> = Text extends `${string}{${infer Hole}}${infer Rest}`
  ? Hole | Placeholders<Rest>
  : never;

const WORDS = new Map(WORD_FILES.flatMap((file) => Object.entries(file)));

/** @returns the English text if there is no translation */
function translate(text: string, language: 'en' | 'es' | 'pt'): string {
  return (language === 'en' ? undefined : WORDS.get(text)?.[language === 'es' ? 0 : 1]) ?? text;
}

/** Language of the reader. */
export const LANGUAGE_CONTEXT = createContext<PageLanguage>('en');

/** Renders the page in the reader's language. */
export function withLanguage(language: PageLanguage, page: VNode): VNode {
  return <LANGUAGE_CONTEXT.Provider value={language}>{page}</LANGUAGE_CONTEXT.Provider>;
}

type PhraseValues = Readonly<Record<string, ComponentChildren>>;

interface PhraseProps {
  readonly word: string;
  readonly values: PhraseValues;
}

/** A translatable text with values for its placeholders. Usable as an element or as `Text`. */
export type TranslatedPhrase = VNode & { readonly type: typeof Phrase; readonly props: PhraseProps };

/** A translatable text, or a name, which is the same in every language. */
export type DisplayText = Word | TranslatedPhrase | { readonly name: string };

type PhraseArguments<Of extends TranslatablePattern, Value> = [Placeholders<Of>] extends [never]
  ? []
  : [Readonly<Record<Placeholders<Of>, Value>>];

/** With an element as value, the result can only be used as an element. */
export function t<Of extends TranslatablePattern>(
  word: Of,
  ...values: PhraseArguments<Of, string | number | TranslatedPhrase>
): TranslatedPhrase;
export function t<Of extends TranslatablePattern>(
  word: Of,
  ...values: PhraseArguments<Of, ComponentChildren>
): VNode;
export function t(word: string, values: PhraseValues = {}): TranslatedPhrase {
  return (<Phrase word={word} values={values} />) as TranslatedPhrase;
}

function Phrase(props: PhraseProps): VNode {
  return <>{renderParts(props, useContext(LANGUAGE_CONTEXT))}</>;
}

/** Returns a function that translates texts for attributes, which cannot contain elements. */
export function useTranslator(): (text: DisplayText) => string {
  const language = useContext(LANGUAGE_CONTEXT);
  return (text) => toText(text, language);
}

function toText(text: DisplayText, language: PageLanguage): string {
  if (typeof text === 'string') return translate(text, language);
  if ('name' in text) return text.name;
  return renderParts(text.props, language)
    .map((piece) => (typeof piece === 'string' ? piece : toText(piece as TranslatedPhrase, language)))
    .join('');
}

function renderParts({ word, values }: PhraseProps, language: PageLanguage): ComponentChildren[] {
  const forms = translate(word, language).split('|');
  const isOne = forms.length > 1 && new Intl.PluralRules(language).select(Number(values['count'])) === 'one';
  const parts = (isOne ? forms[0]! : forms.at(-1)!).split(/\{(\w+)\}/);
  return parts.map((part, place) => (place % 2 === 0 ? part : renderValue(values[part], language)));
}

function renderValue(value: ComponentChildren, language: PageLanguage): ComponentChildren {
  return typeof value === 'number' ? formatCount(value, language) : value;
}
