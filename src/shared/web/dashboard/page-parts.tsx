import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { SHARED_MESSAGES } from '../messages/shared-messages.js';
import type { StatusTone } from '../parts/status-badge.js';
import { Copyable, DetailItem } from '../parts/detail-item.js';
import { LanguageSwitch } from '../parts/language-switch.js';
import { LANGUAGE_CONTEXT, type DisplayText, useTranslator, type Word } from './words/text.js';

/** A coloured label for a state that is not one of the API's statuses. The colour only repeats what the text says. */
export function StateBadge({ tone, children }: { tone: StatusTone; children: ComponentChildren }): VNode {
  return <span class={`state ${tone}`}>{children}</span>;
}

interface CompletedActionProps {
  readonly done?: string | undefined;
  readonly notices: Readonly<Record<string, DisplayText>>;
}

/** Notice about the completed form action that the page's query names, unless the name is unknown. */
export function CompletedActionNotice({ done = '', notices }: CompletedActionProps): VNode | null {
  const words = useTranslator();
  return Object.hasOwn(notices, done) ? <DoneNotice>{words(notices[done]!)}</DoneNotice> : null;
}

/** Notice about a completed form action, at the top of the page. */
export function DoneNotice({ children }: { children: ComponentChildren }): VNode {
  return (
    <div class="done" role="status">
      {children}
    </div>
  );
}

/** Links that switch the language of all pages. A page that answers a POST names the path to return to. */
export function LanguageLinks({ path }: { readonly path: string | undefined }): VNode {
  return <LanguageSwitch language={useContext(LANGUAGE_CONTEXT)} path={path} />;
}

type FactsByName = Partial<Readonly<Record<Word, ComponentChildren>>>;

/** A list of names and values. Omits values that are undefined or false. */
export function DetailList({ facts }: { facts: FactsByName }): VNode {
  const words = useTranslator();
  return (
    <dl class="facts">
      {Object.entries(facts).map(([name, fact]) => (
        <DetailItem name={words(name as Word)}>{fact}</DetailItem>
      ))}
    </dl>
  );
}

interface CopyRowProps {
  readonly id: string;
  readonly label: DisplayText;
  readonly value: string;
}

/** A name and value with a button that copies the value. */
export function CopyRow({ id, label, value }: CopyRowProps): VNode {
  const words = useTranslator();
  const text = SHARED_MESSAGES[useContext(LANGUAGE_CONTEXT)];
  return <Copyable {...{ id, value, text }} label={words(label)} />;
}

/** A button that copies a value that is not shown. The script displays it. */
export function CopyButton({ id, label, value }: CopyRowProps): VNode {
  const words = useTranslator();
  const { copied, selected } = SHARED_MESSAGES[useContext(LANGUAGE_CONTEXT)];
  const copies = { 'data-copy': id, 'data-done': copied, 'data-selected': selected };
  return (
    <>
      <span class="unseen" id={id}>
        {value}
      </span>
      <button type="button" class="button" hidden aria-describedby={id} {...copies}>
        {words(label)}
      </button>
    </>
  );
}

interface CardProps {
  readonly title?: DisplayText | undefined;
  readonly children: ComponentChildren;
}

/** A group of content below a heading. */
export function Card({ title, children }: CardProps): VNode {
  const words = useTranslator();
  return (
    <section class="card">
      {title !== undefined && <h2>{words(title)}</h2>}
      {children}
    </section>
  );
}

interface FactsCardProps extends Omit<CardProps, 'children'> {
  readonly facts: FactsByName;
  /** The record's id, with a button that copies it. */
  readonly copy: CopyRowProps;
  readonly children?: ComponentChildren;
}

/** A card with the names and values of a record. */
export function DetailCard({ title, facts, copy, children }: FactsCardProps): VNode {
  return (
    <Card title={title}>
      <DetailList facts={facts} />
      <dl>
        <CopyRow {...copy} />
      </dl>
      {children}
    </Card>
  );
}

/** `primary`: the main button of a page. `danger`: the action cannot be undone, or removes someone's access. */
export type ButtonLook = 'primary' | 'danger' | undefined;

export function buttonClass(look: ButtonLook): string {
  return look === undefined ? 'button' : `button ${look}`;
}

interface LinkButtonProps {
  readonly href: string;
  readonly label: DisplayText;
  readonly look?: ButtonLook;
}

export function LinkButton({ href, label, look }: LinkButtonProps): VNode {
  const words = useTranslator();
  return (
    <a class={buttonClass(look)} href={href}>
      {words(label)}
    </a>
  );
}

interface ActionButtonProps {
  /** Path that the button posts to. */
  readonly action: string;
  readonly label: DisplayText;
  /** Label for screen readers, if `label` does not say which object the button acts on. */
  readonly fullLabel?: DisplayText;
  readonly look?: ButtonLook;
}

/** A button that posts a form without fields. */
export function ActionButton({ action, label, fullLabel, look }: ActionButtonProps): VNode {
  const words = useTranslator();
  return (
    <form method="post" action={action}>
      <button class={buttonClass(look)} aria-label={fullLabel && words(fullLabel)}>
        {words(label)}
      </button>
    </form>
  );
}
