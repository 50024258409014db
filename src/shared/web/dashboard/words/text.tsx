import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { shownNumber } from '../../formatting/shown-amounts.js';
import type { PageLanguage } from '../../messages/languages.js';
import { translated, type Holes, type Pattern, type Word } from './catalogue.js';

/** The reader's language, which the answer of a page provides. */
export const LANGUAGE = createContext<PageLanguage>('en');

/** The page in the reader's language. */
export function inLanguage(language: PageLanguage, page: VNode): VNode {
  return <LANGUAGE.Provider value={language}>{page}</LANGUAGE.Provider>;
}

type Values = Readonly<Record<string, ComponentChildren>>;

interface PhraseProps {
  readonly word: string;
  readonly values: Values;
}

/** A text with its values: it stands among elements, and wherever a part takes a text. */
export type Said = VNode & { readonly type: typeof Phrase; readonly props: PhraseProps };

/** Parts take it for a text: one of the catalogue, or a name, which is data and the same in every language. */
export type Text = Word | Said | { readonly name: string };

type Args<Of extends Pattern, Value> = [Holes<Of>] extends [never]
  ? []
  : [Readonly<Record<Holes<Of>, Value>>];

/** A text of the catalogue, in the reader's language wherever it is shown. With elements as values it stands only among elements. */
export function t<Of extends Pattern>(word: Of, ...values: Args<Of, string | number | Said>): Said;
export function t<Of extends Pattern>(word: Of, ...values: Args<Of, ComponentChildren>): VNode;
export function t(word: string, values: Values = {}): Said {
  return (<Phrase word={word} values={values} />) as Said;
}

function Phrase(props: PhraseProps): VNode {
  return <>{pieces(props, useContext(LANGUAGE))}</>;
}

/** Texts as strings, for attributes. */
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
