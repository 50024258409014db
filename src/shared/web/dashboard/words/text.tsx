import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { shownNumber } from '../../formatting/shown-amounts.js';
import type { PageLanguage } from '../../messages/languages.js';
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

/** All translation files. Each English text occurs in only one of them. */
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

/** An English text that has translations, possibly with placeholders such as `{name}`. */
export type Pattern = KeysOf<(typeof WORD_FILES)[number]>;

/** An English text with translations and without placeholders. */
export type Word = Exclude<Pattern, `${string}{${string}`>;

/** Names of the placeholders in a text. */
type Holes<Text extends string> = Text extends `${string}{${infer Hole}}${infer Rest}`
  ? Hole | Holes<Rest>
  : never;

const WORDS = new Map(WORD_FILES.flatMap((file) => Object.entries(file)));

/** @returns the English text if there is no translation */
function translated(text: string, language: 'en' | 'es' | 'pt'): string {
  return (language === 'en' ? undefined : WORDS.get(text)?.[language === 'es' ? 0 : 1]) ?? text;
}

/** Language of the reader. */
export const LANGUAGE = createContext<PageLanguage>('en');

/** Renders the page in the reader's language. */
export function inLanguage(language: PageLanguage, page: VNode): VNode {
  return <LANGUAGE.Provider value={language}>{page}</LANGUAGE.Provider>;
}

type Values = Readonly<Record<string, ComponentChildren>>;

interface PhraseProps {
  readonly word: string;
  readonly values: Values;
}

/** A translatable text with values for its placeholders. Usable as an element or as `Text`. */
export type Said = VNode & { readonly type: typeof Phrase; readonly props: PhraseProps };

/** A translatable text, or a name, which is the same in every language. */
export type Text = Word | Said | { readonly name: string };

type Args<Of extends Pattern, Value> = [Holes<Of>] extends [never]
  ? []
  : [Readonly<Record<Holes<Of>, Value>>];

/**
 * Creates a translatable text with values for its placeholders. If a value is an element, the result can only be used
 * as an element.
 */
export function t<Of extends Pattern>(word: Of, ...values: Args<Of, string | number | Said>): Said;
export function t<Of extends Pattern>(word: Of, ...values: Args<Of, ComponentChildren>): VNode;
export function t(word: string, values: Values = {}): Said {
  return (<Phrase word={word} values={values} />) as Said;
}

function Phrase(props: PhraseProps): VNode {
  return <>{pieces(props, useContext(LANGUAGE))}</>;
}

/** Returns a function that translates texts for attributes, which cannot contain elements. */
export function useWords(): (text: Text) => string {
  const language = useContext(LANGUAGE);
  return (text) => stringOf(text, language);
}

function stringOf(text: Text, language: PageLanguage): string {
  if (typeof text === 'string') return translated(text, language);
  if ('name' in text) return text.name;
  return pieces(text.props, language)
    .map((piece) => (typeof piece === 'string' ? piece : stringOf(piece as Said, language)))
    .join('');
}

function pieces({ word, values }: PhraseProps, language: PageLanguage): ComponentChildren[] {
  const forms = translated(word, language).split('|');
  const isOne = forms.length > 1 && new Intl.PluralRules(language).select(Number(values['count'])) === 'one';
  const parts = (isOne ? forms[0]! : forms.at(-1)!).split(/\{(\w+)\}/);
  return parts.map((part, place) => (place % 2 === 0 ? part : shown(values[part], language)));
}

function shown(value: ComponentChildren, language: PageLanguage): ComponentChildren {
  return typeof value === 'number' ? shownNumber(value, language) : value;
}
