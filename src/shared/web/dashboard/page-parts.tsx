import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { SHARED_MESSAGES } from '../messages/shared-messages.js';
import type { Tone } from '../parts/badge.js';
import { Copyable, Fact } from '../parts/facts.js';
import { LANGUAGE, type Text, useWords, type Word } from './words/text.js';

/** A state that is not a status. Its colour adds no information. */
export function StateMark({ tone, children }: { tone: Tone; children: ComponentChildren }): VNode {
  return <span class={`state ${tone}`}>{children}</span>;
}

interface DoneProps {
  readonly done?: string | undefined;
  readonly notices: Readonly<Record<string, Text>>;
}

/** Notice of the act named in the page's query, if known. */
export function Done({ done = '', notices }: DoneProps): VNode | null {
  const words = useWords();
  return Object.hasOwn(notices, done) ? <DoneNotice>{words(notices[done]!)}</DoneNotice> : null;
}

/** Notice of a completed act, at the top of the page. */
export function DoneNotice({ children }: { children: ComponentChildren }): VNode {
  return (
    <div class="done" role="status">
      {children}
    </div>
  );
}

type FactsByName = Partial<Readonly<Record<Word, ComponentChildren>>>;

/** Named facts. Omits those that are undefined or false. */
export function Facts({ facts }: { facts: FactsByName }): VNode {
  const words = useWords();
  return (
    <dl class="facts">
      {Object.entries(facts).map(([name, fact]) => (
        <Fact name={words(name as Word)}>{fact}</Fact>
      ))}
    </dl>
  );
}

interface CopyRowProps {
  readonly id: string;
  readonly label: Text;
  readonly value: string;
}

/** A row of a `<dl>` with a copy button. */
export function CopyRow({ id, label, value }: CopyRowProps): VNode {
  const words = useWords();
  const text = SHARED_MESSAGES[useContext(LANGUAGE)];
  return <Copyable {...{ id, value, text }} label={words(label)} />;
}

interface CardProps {
  readonly title?: Text | undefined;
  readonly children: ComponentChildren;
}

/** A group of content below a heading. */
export function Card({ title, children }: CardProps): VNode {
  const words = useWords();
  return (
    <section class="card">
      {title !== undefined && <h2>{words(title)}</h2>}
      {children}
    </section>
  );
}

interface FactsCardProps extends Omit<CardProps, 'children'> {
  readonly facts: FactsByName;
  /** The record's id, with a copy button. */
  readonly copy: CopyRowProps;
  readonly children?: ComponentChildren;
}

/** The facts of a record in a card. */
export function FactsCard({ title, facts, copy, children }: FactsCardProps): VNode {
  return (
    <Card title={title}>
      <Facts facts={facts} />
      <dl>
        <CopyRow {...copy} />
      </dl>
      {children}
    </Card>
  );
}

/** `primary`: the main button of a page. `danger`: cannot be undone, or removes access. */
export type ButtonLook = 'primary' | 'danger' | undefined;

export function buttonClass(look: ButtonLook): string {
  return look === undefined ? 'button' : `button ${look}`;
}

interface LinkButtonProps {
  readonly href: string;
  readonly label: Text;
  readonly look?: ButtonLook;
}

export function LinkButton({ href, label, look }: LinkButtonProps): VNode {
  const words = useWords();
  return (
    <a class={buttonClass(look)} href={href}>
      {words(label)}
    </a>
  );
}

interface ActionButtonProps {
  /** Path to post to. */
  readonly action: string;
  readonly label: Text;
  /** Label for screen readers, if the visible label does not name the object. */
  readonly fullLabel?: Text;
  readonly look?: ButtonLook;
}

/** A form without fields: one button. */
export function ActionButton({ action, label, fullLabel, look }: ActionButtonProps): VNode {
  const words = useWords();
  return (
    <form method="post" action={action}>
      <button class={buttonClass(look)} aria-label={fullLabel && words(fullLabel)}>
        {words(label)}
      </button>
    </form>
  );
}
