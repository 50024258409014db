import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { shownNumber } from '../../formatting/shown-amounts.js';
import type { PageLanguage } from '../../messages/languages.js';
import { translated, type Holes, type Pattern, type Word } from './catalogue.js';

/** Language of the reader, provided by the page's answer. */
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

/** A catalogue string with its values, usable as an element or as `Text`. */
export type Said = VNode & { readonly type: typeof Phrase; readonly props: PhraseProps };

/** A translatable string, or a name, which is the same in every language. */
export type Text = Word | Said | { readonly name: string };

type Args<Of extends Pattern, Value> = [Holes<Of>] extends [never]
  ? []
  : [Readonly<Record<Holes<Of>, Value>>];

/**
 * Creates a catalogue string, rendered in the reader's language. With elements as values it can only be used as an element.
 */
export function t<Of extends Pattern>(word: Of, ...values: Args<Of, string | number | Said>): Said;
export function t<Of extends Pattern>(word: Of, ...values: Args<Of, ComponentChildren>): VNode;
export function t(word: string, values: Values = {}): Said {
  return (<Phrase word={word} values={values} />) as Said;
}

function Phrase(props: PhraseProps): VNode {
  return <>{pieces(props, useContext(LANGUAGE))}</>;
}

/** Returns a function that renders strings for attributes. */
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
